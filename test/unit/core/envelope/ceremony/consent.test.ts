// Audit rows name a version of the consent, so the sentences of a published version never change.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { CONSENT_VERSION, consentSentence } from '#core/envelope/ceremony/consent.ts'

/** SHA-256 over the sentences of a version, for one document and for three. */
const PUBLISHED: [version: number, language: string, sha256: string][] = [
  [1, 'en', '23d939734f5246ca393d441eacf979e114a570447ce8929c10638c53519a662b'],
  [1, 'de', '232db79135a2f8b46365c42d46515329aab30bd22f7158c90f5e04d58c3376ab'],
]

test.each(PUBLISHED)('version %i in %s is as published', (version, language, sha256) => {
  const sentences = [1, 3].map((count) => consentSentence({ version, language }, 'Ada Signer', count))
  expect(createHash('sha256').update(sentences.join('\n')).digest('hex')).toBe(sha256)
})

test('every version is pinned', () => {
  expect(Math.max(...PUBLISHED.map(([version]) => version))).toBe(CONSENT_VERSION)
})

test.each([
  [0, 'en'],
  [CONSENT_VERSION + 1, 'en'],
  [1.5, 'en'],
  [1, 'fr'],
  [1, 'constructor'],
])('version %d in %s does not exist', (version, language) => {
  expect(consentSentence({ version, language }, 'Ada Signer', 1)).toBeUndefined()
})
