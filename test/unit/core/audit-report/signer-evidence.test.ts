import type { AuditAction, AuditContent } from '#core/audit/rules.ts'
import { evidenceOf } from '#core/audit-report/signer-evidence.ts'
import { expect, test } from 'vitest'

type Row = [action: AuditAction, detail?: AuditContent['detail'], signerId?: string]

/** Rows of signer s1 unless stated, one a second. */
function evidence(...rows: Row[]) {
  const events = rows.map(([action, detail = {}, signerId = 's1'], index) => ({
    at: `2026-11-21T14:00:0${index}.000000Z`,
    actor: { kind: 'signer', signerId, name: 'Ada', email: 'ada@example.test' } as const,
    action,
    detail,
  }))
  return evidenceOf(events, 's1')
}

const at = (second: number) => `2026-11-21T14:00:0${second}.000000Z`
const NOTHING = {
  linkMailedAt: null,
  codeAcceptedAt: null,
  openings: 0,
  firstOpenedAt: null,
  onScreenMs: null,
  signature: null,
}

test.each<[string, Row[], object]>([
  ['nothing', [], {}],
  [
    'the first email with the link',
    [
      ['link.mailed', { signerId: 's1' }],
      ['link.mailed', { signerId: 's1' }],
    ],
    { linkMailedAt: at(0) },
  ],
  ['no email to another signer', [['link.mailed', { signerId: 's2' }]], {}],
  ['the last accepted code', [['code.refused'], ['code.accepted'], ['code.accepted']], { codeAcceptedAt: at(2) }],
  ['openings', [['document.opened'], ['document.opened']], { openings: 2, firstOpenedAt: at(0) }],
  [
    'the durations that the browser reported',
    [
      ['document.opened'],
      ['document.closed', { durationMs: 1_000 }],
      ['document.closed'],
      ['document.closed', { durationMs: 500 }],
    ],
    { openings: 1, firstOpenedAt: at(0), onScreenMs: 1_500 },
  ],
  [
    "nothing of another signer's",
    [
      ['document.opened', {}, 's2'],
      ['code.accepted', {}, 's2'],
      ['signer.signed', {}, 's2'],
    ],
    {},
  ],
  ['a signature', [['signer.signed', { signatureId: 'g1' }]], { signature: { id: 'g1', at: at(0), consent: null } }],
  [
    'a signature with consent',
    [['signer.signed', { signatureId: 'g1', consent: { version: 1, language: 'de' } }]],
    { signature: { id: 'g1', at: at(0), consent: { version: 1, language: 'de' } } },
  ],
  [
    'a consent that was tampered with',
    [['signer.signed', { signatureId: 'g1', consent: { version: 'x', language: 1 } }]],
    { signature: { id: 'g1', at: at(0), consent: null } },
  ],
])('finds %s', (_what, rows, found) => {
  expect(evidence(...rows)).toEqual({ ...NOTHING, ...found })
})
