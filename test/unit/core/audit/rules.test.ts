import { type AuditContent, auditHash, auditStatement, CHAIN_START, type LedgerContent, ledgerHash } from '#core/audit/rules.ts'
import { fc } from '../../../support/builders/properties.ts'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'

const ROW: AuditContent = {
  envelopeId: '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00',
  seq: 2,
  at: '2026-11-21T10:00:00.123456Z',
  actor: { kind: 'signer', signerId: '0a9b8c7d-6e5f-4a3b-8c1d-0e9f8a7b6c5d', name: 'Ada', email: 'ada@example.test' },
  action: 'signer.signed',
  address: '192.0.2.7',
  userAgent: 'Browser/1',
  detail: { signatureId: 'x', durationMs: 5 },
}
const CANONICAL =
  '{"action":"signer.signed","actor":{"email":"ada@example.test","kind":"signer","name":"Ada","signerId":"0a9b8c7d-6e5f-4a3b-8c1d-0e9f8a7b6c5d"},' +
  '"address":"192.0.2.7","at":"2026-11-21T10:00:00.123456Z","detail":{"durationMs":5,"signatureId":"x"},' +
  '"envelopeId":"6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00","seq":2,"userAgent":"Browser/1"}'

const actor = ROW.actor

describe('the hash of an audit row', () => {
  test('is SHA-256 over tag, previous hash and canonical row, so that anyone can compute it', () => {
    const previous = Buffer.alloc(32, 7)
    const expected = createHash('sha256').update('sealwright audit v1\0').update(previous).update(CANONICAL).digest()
    expect(auditHash(previous, ROW)).toEqual(expected)
  })

  test('starts from 32 zero bytes', () => {
    expect(CHAIN_START).toEqual(Buffer.alloc(32))
  })

  test('does not depend on the order in which fields were set', () => {
    const turned = Object.fromEntries(Object.entries(ROW).toReversed()) as unknown as AuditContent
    expect(auditHash(CHAIN_START, turned)).toEqual(auditHash(CHAIN_START, ROW))
  })

  test.each<[string, Partial<AuditContent>]>([
    ['envelope', { envelopeId: '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a01' }],
    ['place in the chain', { seq: 3 }],
    ['time by a microsecond', { at: '2026-11-21T10:00:00.123457Z' }],
    ['kind of actor', { actor: { kind: 'system' } }],
    ["signer's name", { actor: { ...actor, name: 'Ida' } as AuditContent['actor'] }],
    ["signer's address", { actor: { ...actor, email: 'ida@example.test' } as AuditContent['actor'] }],
    ['action', { action: 'document.opened' }],
    ['network address', { address: '192.0.2.8' }],
    ['network address, taken away', { address: null }],
    ['user agent', { userAgent: 'Browser/2' }],
    ['detail', { detail: { signatureId: 'y', durationMs: 5 } }],
    ['type of a detail', { detail: { signatureId: 'x', durationMs: '5' } }],
    ['detail, taken away', { detail: { signatureId: 'x' } }],
    ['detail, added', { detail: { signatureId: 'x', durationMs: 5, more: null } }],
  ])('changes with the %s', (_, changed) => {
    expect(auditHash(CHAIN_START, { ...ROW, ...changed })).not.toEqual(auditHash(CHAIN_START, ROW))
  })

  test('changes with any bit of the previous row', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), (bit) => {
        const previous = Buffer.alloc(32)
        previous[bit >> 3] = 1 << (bit & 7)
        expect(auditHash(previous, ROW)).not.toEqual(auditHash(CHAIN_START, ROW))
      }),
    )
  })

  test('changes when text moves from one field into another', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (left, moved, right) => {
        const one = auditHash(CHAIN_START, { ...ROW, address: left + moved, userAgent: right })
        const two = auditHash(CHAIN_START, { ...ROW, address: left, userAgent: moved + right })
        expect(one).not.toEqual(two)
      }),
    )
  })
})

const ENTRY: LedgerContent = {
  orgId: '3b7e0d52-93b4-4a52-8d8e-5a4f1c2b3d4e',
  orgSeq: 41,
  envelopeId: ROW.envelopeId,
  seq: 2,
  eventHash: 'ab'.repeat(32),
  enteredAt: '2026-11-21T10:00:05.000001Z',
}

describe('the hash of a ledger row', () => {
  test('is SHA-256 over its own tag, previous hash and canonical row', () => {
    const previous = Buffer.alloc(32, 9)
    const canonical =
      `{"enteredAt":"${ENTRY.enteredAt}","envelopeId":"${ENTRY.envelopeId}","eventHash":"${ENTRY.eventHash}",` +
      `"orgId":"${ENTRY.orgId}","orgSeq":41,"seq":2}`
    const expected = createHash('sha256').update('sealwright ledger v1\0').update(previous).update(canonical).digest()
    expect(ledgerHash(previous, ENTRY)).toEqual(expected)
  })

  test.each<Partial<LedgerContent>>([
    { orgId: ROW.envelopeId },
    { orgSeq: 42 },
    { envelopeId: ENTRY.orgId },
    { seq: 3 },
    { eventHash: 'ac'.repeat(32) },
    { enteredAt: '2026-11-21T10:00:05.000002Z' },
  ])('changes with %j', (changed) => {
    expect(ledgerHash(CHAIN_START, { ...ENTRY, ...changed })).not.toEqual(ledgerHash(CHAIN_START, ENTRY))
  })
})

describe('the text that a MAC covers', () => {
  const { orgId, envelopeId } = ENTRY
  const hash = Buffer.alloc(32, 1)

  test('never changes, so that existing MACs stay valid', () => {
    expect(auditStatement('row', { orgId, envelopeId, seq: 2 }, hash)).toBe(`row ${orgId} ${envelopeId} 2 ${'01'.repeat(32)}`)
    expect(auditStatement('head', { orgId, seq: 41 }, hash)).toBe(`head ${orgId} ledger 41 ${'01'.repeat(32)}`)
  })

  test('differs for every position, kind and hash', () => {
    const statements = [
      auditStatement('row', { orgId, envelopeId, seq: 2 }, hash),
      auditStatement('head', { orgId, envelopeId, seq: 2 }, hash),
      auditStatement('row', { orgId, seq: 2 }, hash),
      auditStatement('row', { orgId, envelopeId, seq: 22 }, hash),
      auditStatement('row', { orgId: envelopeId, envelopeId, seq: 2 }, hash),
      auditStatement('row', { orgId, envelopeId, seq: 2 }, Buffer.alloc(32, 2)),
    ]
    expect(new Set(statements).size).toBe(statements.length)
  })
})
