import { describe, expect, test } from 'vitest'
import { findingsOf, isAllWell } from '../../../../controller/kubectl/status/findings.ts'
import type { ClusterState } from '../../../../controller/kubectl/status/cluster-state.ts'
import type { Condition } from '../../../../controller/kubectl/condition-of.ts'
import { keySpec, webhookSpec } from '../../../support/builders/custom-resources.ts'

const NOW = new Date('2026-11-25T12:00:00Z')
const LONG_AGO = '2026-11-01T00:00:00Z'

function condition(type: string, status: Condition['status'], reason: string): Condition {
  return { type, status, reason, message: `${reason}.`, lastTransitionTime: LONG_AGO }
}

function webhook(conditions: Condition[], generation = 1, creationTimestamp = LONG_AGO) {
  const metadata = { name: 'billing', uid: 'uid-1', generation, creationTimestamp }
  return { apiVersion: '', kind: '', metadata, spec: webhookSpec(), status: { observedGeneration: 1, conditions } }
}

function key(conditions: Condition[]) {
  const metadata = { name: 'seal', uid: 'uid-2', generation: 1, creationTimestamp: LONG_AGO }
  return { apiVersion: '', kind: '', metadata, spec: keySpec(), status: { observedGeneration: 1, conditions } }
}

const READY = condition('Ready', 'True', 'Ready')
const WELL: ClusterState = {
  namespace: 'sealwright',
  webhooks: [webhook([READY])],
  keys: [key([READY, condition('CertificateValid', 'True', 'Valid')])],
  lease: { spec: { holderIdentity: 'controller-1', renewTime: '2026-11-25T11:59:55.000000Z', leaseDurationSeconds: 15 } },
  report: { outboxAgeSeconds: '2', orphans: '[]' },
}

test('where all is well there is nothing to do', () => {
  const findings = findingsOf(WELL, NOW)
  expect(isAllWell(findings)).toBe(true)
  expect(findings).toMatchObject({ leader: { holder: 'controller-1' }, outboxAgeSeconds: 2 })
})

const CASES: [string, Partial<ClusterState>, object][] = [
  ['no Lease', { lease: undefined }, { leader: null, controller: [{ reason: 'NoLeader' }] }],
  ['a Lease that was given up', { lease: { spec: { holderIdentity: '' } } }, { controller: [{ reason: 'NoLeader' }] }],
  [
    'a Lease that expired longer ago than clocks may differ',
    { lease: { spec: { holderIdentity: 'controller-1', renewTime: '2026-11-25T11:59:14.000000Z', leaseDurationSeconds: 15 } } },
    { controller: [{ reason: 'NoLeader' }] },
  ],
  ['no report of a leader', { report: undefined }, { outboxAgeSeconds: null, controller: [{ reason: 'NoReport' }] }],
  ['an outbox that is late', { report: { outboxAgeSeconds: '300' } }, { controller: [{ reason: 'OutboxLate' }] }],
  [
    'a webhook that was disabled automatically',
    { webhooks: [webhook([condition('Ready', 'False', 'AutoDisabled')])] },
    { unhealthyWebhooks: [{ object: 'billing', reason: 'AutoDisabled', message: 'AutoDisabled.' }] },
  ],
  [
    'an unknown readiness',
    { webhooks: [webhook([condition('Ready', 'Unknown', 'StoreUnavailable')])] },
    { unhealthyWebhooks: [{ object: 'billing' }] },
  ],
  [
    'a webhook that the controller has not seen',
    { webhooks: [webhook([])] },
    { unhealthyWebhooks: [{ reason: 'NotReconciled' }] },
  ],
  [
    'a change that the controller has not seen',
    { webhooks: [webhook([READY], 2)] },
    { unhealthyWebhooks: [{ reason: 'NotReconciled' }] },
  ],
  [
    'a key that is not ready',
    { keys: [key([condition('Ready', 'False', 'WrongPassword')])] },
    { unreadyKeys: [{ object: 'seal', reason: 'WrongPassword' }] },
  ],
  [
    'a certificate that expires soon',
    { keys: [key([READY, condition('CertificateValid', 'True', 'ExpiringSoon')])] },
    { expiringKeys: [{ object: 'seal', reason: 'ExpiringSoon' }] },
  ],
  [
    'an orphan',
    { report: { orphans: '[{"kind":"WebhookSubscription","id":"0198","namespace":"sealwright","name":"billing"}]' } },
    { orphans: [{ object: 'sealwright/billing', reason: 'Orphaned' }] },
  ],
  ['an orphan without a name', { report: { orphans: '[{"id":"0198"}]' } }, { orphans: [{ object: '0198' }] }],
  [
    'a problem that the leader reports',
    { report: { problems: '["30 of 40 rows are gone."]' } },
    { controller: [{ message: '30 of 40 rows are gone.' }] },
  ],
]

describe('needs attention:', () => {
  test.each(CASES)('%s', (_, changes, expected) => {
    const findings = findingsOf({ ...WELL, ...changes }, NOW)
    expect(isAllWell(findings)).toBe(false)
    expect(findings).toMatchObject(expected)
  })
})

test('a webhook that is a few seconds old need not have a status yet', () => {
  const created = webhook([], 1, '2026-11-25T11:59:30Z')
  expect(isAllWell(findingsOf({ ...WELL, webhooks: [created] }, NOW))).toBe(true)
})

test.each(['x', '{}'])('a report of another version is an error: %s', (orphans) => {
  expect(() => findingsOf({ ...WELL, report: { orphans } }, NOW)).toThrow('Use the plugin of the installed version')
})
