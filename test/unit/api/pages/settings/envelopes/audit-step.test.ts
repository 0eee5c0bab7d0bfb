import { en } from '#core/audit-report/locales/en.ts'
import { describe, expect, test } from 'vitest'
import type { AuditEvent } from '../../../../../../api/pages/settings/data/records.ts'
import { auditSentence } from '../../../../../../api/pages/settings/envelopes/audit-step.ts'
import { deAudit } from '../../../../../../api/pages/settings/locales/de-audit.ts'
import { enAudit } from '../../../../../../api/pages/settings/locales/en-audit.ts'

const ADA = {
  id: 's1',
  name: 'Ada Signer',
  email: 'ada@example.test',
  signOrder: 1,
  status: 'SIGNED' as const,
  signedAt: null,
}
const context = { signers: [ADA], documents: [{ id: 'd1', filename: 'lease.pdf' }] }

function aStep(overrides: Partial<AuditEvent>): AuditEvent {
  return {
    seq: 1,
    at: '2026-11-21T10:00:00.000000Z',
    actor: { kind: 'system' },
    action: 'envelope.sealed',
    address: null,
    userAgent: null,
    detail: {},
    hash: '00',
    ...overrides,
  }
}

describe('a step of the audit trail', () => {
  test.each<[Partial<AuditEvent>, string]>([
    [{ action: 'envelope.sent', actor: { kind: 'credential', clientId: 'sw_1' } }, 'The credential sw_1 sent the envelope.'],
    [
      { action: 'envelope.cancelled', actor: { kind: 'person', personId: 'p1', email: 'alex@example.test' } },
      'alex@example.test cancelled the envelope.',
    ],
    [
      { action: 'signer.signed', actor: { kind: 'signer', signerId: 's1', name: 'Ada Signer', email: ADA.email } },
      'Ada Signer signed.',
    ],
    [{ action: 'link.mailed', detail: { signerId: 's1' } }, 'The signing link was emailed to Ada Signer.'],
    [{ action: 'link.mailed', detail: { signerId: 'gone' } }, 'The signing link was emailed.'],
    [
      { action: 'document.attached', actor: { kind: 'credential', clientId: 'sw_1' }, detail: { documentIds: ['d1'] } },
      'The credential sw_1 attached “lease.pdf”.',
    ],
    [{ action: 'constructor' }, 'Sealwright: constructor'],
    [{ action: 'moon.landed' }, 'Sealwright: moon.landed'],
  ])('%o reads as a sentence', (step, sentence) => {
    expect(auditSentence(aStep(step), context, enAudit)).toBe(sentence)
  })

  test('has words for everything that is recorded, in every language', () => {
    expect(Object.keys(deAudit.steps)).toEqual(Object.keys(enAudit.steps))
    expect(Object.keys(enAudit.steps).toSorted()).toEqual(Object.keys(en.steps).toSorted())
  })
})
