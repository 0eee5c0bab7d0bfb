// The automaton against a regular expression, which sees the whole text at once.
import { feed, newMatcher } from '#core/pdf/inspect/marker-matcher.ts'
import { fc, runs } from '../../../../support/builders/properties.ts'
import { expect, test } from 'vitest'

function match(text: string): number[] {
  const matcher = newMatcher()
  const found: number[] = []
  for (const character of text) if (feed(matcher, character.charCodeAt(0))) found.push(matcher.signOrder)
  return found
}

test('finds the same markers as a regular expression in texts made of marker fragments', () => {
  const pieces = [
    '{',
    '{{',
    '{{s',
    '{{signer',
    'signer',
    'igner',
    '{signer',
    '0',
    '1',
    '12',
    '999',
    '1000',
    '}',
    '}}',
    'x',
    '{{signer7}}',
  ]
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const expected = [...text.matchAll(/\{\{signer([1-9]\d{0,2})\}\}/g)].map((found) => Number(found[1]))
      expect(match(text)).toEqual(expected)
    }),
    { numRuns: runs(1_000) },
  )
})
