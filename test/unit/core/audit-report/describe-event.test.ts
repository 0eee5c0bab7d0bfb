import { describeEvent } from '#core/audit-report/describe-event.ts'
import { reportTexts } from '#core/audit-report/locales/choose-texts.ts'
import type { Actor, AuditAction, AuditContent } from '#core/audit/rules.ts'
import { type Locale, LOCALES } from '#core/platform/text/locale.ts'
import { describe, expect, test } from 'vitest'

const names = { signers: new Map([['s1', 'Ada Signer']]), documents: new Map([['d1', 'Lease.pdf']]) }

function say(action: AuditAction, detail: AuditContent['detail'] = {}, locale: Locale = 'en'): string {
  return describeEvent({ actor: { kind: 'system' }, action, detail }, names, reportTexts(locale)).what
}

describe('a row of the audit trail', () => {
  test.each<[AuditAction, AuditContent['detail'], string]>([
    ['envelope.created', { signers: 1 }, 'Created the envelope with 1 signer.'],
    ['envelope.created', { signers: 2 }, 'Created the envelope with 2 signers.'],
    ['document.attached', { documentId: 'd1' }, 'Attached the document Lease.pdf.'],
    ['signer.added', { signerId: 's1' }, 'Added the signer Ada Signer.'],
    ['envelope.sent', { signers: 2, documents: 1 }, 'Sent the envelope: 1 document to 2 signers.'],
    ['link.mailed', { signerId: 's1' }, 'Emailed the signing link to Ada Signer.'],
    ['document.closed', {}, 'Closed the documents.'],
    ['document.closed', { durationMs: 42_400 }, 'Closed the documents after 42 s.'],
    ['document.closed', { durationMs: 192_000 }, 'Closed the documents after 3 min 12 s.'],
    ['signer.signed', { signatureId: 'g1' }, 'Signed. Signature g1.'],
    ['envelope.sealed', { documents: [{}, {}] }, 'Sealed 2 documents.'],
    ['copy.mailed', { signerId: 's1' }, 'Emailed a link to the signed copy to Ada Signer.'],
  ])('%s with %j says: %3$s', (action, detail, sentence) => {
    expect(say(action, detail)).toBe(sentence)
  })

  test.each<[AuditAction, AuditContent['detail'], string]>([
    ['envelope.created', { signers: 1 }, 'Hat den Umschlag mit 1 Unterzeichner angelegt.'],
    ['envelope.created', { signers: 2 }, 'Hat den Umschlag mit 2 Unterzeichnern angelegt.'],
    ['envelope.sent', { signers: 2, documents: 1 }, 'Hat den Umschlag versendet: 1 Dokument an 2 Unterzeichner.'],
    ['document.closed', {}, 'Hat die Dokumente geschlossen.'],
    ['document.closed', { durationMs: 192_000 }, 'Hat die Dokumente nach 3 min 12 s geschlossen.'],
    ['envelope.sealed', { documents: [{}, {}] }, 'Hat 2 Dokumente gesiegelt.'],
  ])('%s with %j says in German: %3$s', (action, detail, sentence) => {
    expect(say(action, detail, 'de')).toBe(sentence)
  })

  test.each(LOCALES)('has its own sentence for every step in the language %s', (locale) => {
    const subject = { signer: 'Ada', document: 'Lease.pdf', signature: 'g1', signers: '1', documents: '1', seconds: 7 }
    const sentences = Object.values(reportTexts(locale).steps).map((step) => step(subject))
    for (const sentence of sentences) expect(sentence).toMatch(/^\p{Lu}.+\.$/u)
    expect(new Set(sentences).size).toBe(sentences.length)
  })

  test('names deleted records by their id', () => {
    expect(say('document.attached', { documentId: 'd2' })).toBe('Attached the document d2.')
  })

  test('says as much as possible when it was tampered with', () => {
    expect(say('envelope.created', { signers: ['x'] })).toBe('Created the envelope with ? signers.')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the database may hold anything
    expect(say('envelope.stolen' as AuditAction)).toBe('envelope.stolen')
  })

  test.each<[Actor, string, string]>([
    [{ kind: 'credential', clientId: 'swc_1' }, 'swc_1', 'API credential'],
    [{ kind: 'person', personId: 'p1', email: 'robin@example.test' }, 'robin@example.test', 'Settings'],
    [{ kind: 'signer', signerId: 's1', name: 'Ada', email: 'ada@example.test' }, 'Ada', 'ada@example.test'],
    [{ kind: 'system' }, 'Sealwright', 'System'],
  ])('tells who did it: %j', (actor, who, as) => {
    expect(describeEvent({ actor, action: 'document.opened', detail: {} }, names, reportTexts('en'))).toEqual({
      who,
      as,
      what: 'Opened the documents.',
    })
  })
})
