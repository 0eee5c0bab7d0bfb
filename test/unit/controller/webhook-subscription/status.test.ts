import { describe, expect, it } from 'vitest'
import { plan } from '../../../../controller/webhook-subscription/plan.ts'
import type { WebhookSubscriptionStatus } from '../../../../controller/webhook-subscription/resource.ts'
import type { Snapshot } from '../../../../controller/webhook-subscription/snapshot.ts'
import { eventsOf } from '../../../../controller/webhook-subscription/events.ts'
import { isSameStatus } from '../../../../controller/resource/shown-status.ts'
import { statusOf, unavailableStatus } from '../../../../controller/webhook-subscription/status.ts'
import { WEBHOOK_CONDITIONS } from '../../../../controller/reasons.ts'
import {
  aManagedObject,
  aManagedRow,
  aManagedSecret,
  aProjectedObject,
  aRow,
  aSnapshot,
  ID,
  SECRET_NAME,
} from '../../../support/builders/subscriptions.ts'

const NEXT_DAY = new Date('2026-03-02T12:00:00.456Z')
const rotating = aManagedSecret({ revision: 2, handledRequest: 'r1', previousExpiresAt: NEXT_DAY })
const failing = {
  disabledAutomatically: true,
  disabledAt: NEXT_DAY,
  consecutiveExhausted: 3,
  lastFailure: { at: NEXT_DAY, code: 'TIMEOUT', reason: 'The receiver did not answer in time.' },
}

function status(change: Partial<Snapshot>): WebhookSubscriptionStatus {
  const snapshot = aSnapshot(change)
  return statusOf(snapshot, plan(snapshot))
}

/** As `Accepted Synced EndpointHealthy RotationInProgress Suspended Ready`, by reason. */
function reasons({ conditions = [] }: WebhookSubscriptionStatus): string {
  return conditions.map((condition) => condition.reason).join(' ')
}

describe('conditions', () => {
  const object = aManagedObject()
  const row = aManagedRow()
  const lost = aManagedObject({ status: { ...status({ object, row }), rowVersion: 8 } })
  const cases: [string, Partial<Snapshot>, string][] = [
    ['new', { object, row }, 'Accepted Synced NoTraffic NoRotation NotSuspended Ready'],
    ['delivering', { object, row: { ...row, hasDelivered: true } }, 'Accepted Synced Delivering NoRotation NotSuspended Ready'],
    ['failing', { object, row: { ...row, ...failing } }, 'Accepted Synced AutoDisabled NoRotation NotSuspended AutoDisabled'],
    ['rotating', { object, row: { ...row, secret: rotating } }, 'Accepted Synced NoTraffic GracePeriod NotSuspended Ready'],
    [
      'disabled in the panel',
      { object, row: { ...row, disabledByAdmin: true } },
      'Accepted Synced NoTraffic NoRotation ByAdmin Suspended',
    ],
    [
      'suspended and failing',
      { object: aManagedObject({ spec: { suspend: true } }), row: { ...row, ...failing, suspended: true } },
      'Accepted Synced AutoDisabled NoRotation BySpec Suspended',
    ],
    [
      'refused',
      { object, refusal: { reason: 'AddressRefused', message: 'private' } },
      'AddressRefused Synced NoTraffic NoRotation NotSuspended AddressRefused',
    ],
    ['lost by the database', { object: lost }, 'Accepted StoreRolledBack NoTraffic NoRotation NotSuspended StoreRolledBack'],
    [
      'whose Secret no worker can read',
      {
        object: aManagedObject({ spec: { secretRef: { name: 's' } } }),
        referencedSecret: { kind: 'UNREACHABLE', message: 'No worker can.' },
      },
      'SecretMissing Synced NoTraffic NoRotation NotSuspended SecretMissing',
    ],
  ]
  for (const [name, snapshot, expected] of cases) it(name, () => expect(reasons(status(snapshot))).toBe(expected))

  it('stand in the order of the contract, with the status that belongs to the reason', () => {
    for (const [, snapshot] of cases) {
      const { conditions = [] } = status(snapshot)
      expect(conditions.map(({ type }) => type)).toEqual(Object.keys(WEBHOOK_CONDITIONS))
      for (const { type, reason, status: value, message, observedGeneration } of conditions) {
        const known = WEBHOOK_CONDITIONS[type as 'Accepted'].reasons[reason as 'Accepted']
        if (type !== 'Ready') expect({ type, reason, value }).toEqual({ type, reason, value: known?.status })
        expect(message).not.toBe('')
        expect(observedGeneration).toBe(1)
      }
    }
  })
})

describe('the status', () => {
  it('shows the row, with times of whole seconds', () => {
    const row = aRow({ ...failing, secret: rotating, nextProbeAt: NEXT_DAY, lastProbeRequest: 'p1', lastProbeAt: NEXT_DAY })
    const shown = status({ object: aProjectedObject({ spec: { probe: { request: 'p1' } } }), row })
    expect({ ...shown, conditions: [] }).toEqual({
      observedGeneration: 1,
      subscriptionId: ID,
      rowVersion: 3,
      conditions: [],
      health: {
        consecutiveExhausted: 3,
        disabledTime: '2026-03-02T12:00:00Z',
        nextProbeTime: '2026-03-02T12:00:00Z',
        lastProbeTime: '2026-03-02T12:00:00Z',
        lastProbeRequest: 'p1',
        lastFailure: { time: '2026-03-02T12:00:00Z', code: 'TIMEOUT', reason: 'The receiver did not answer in time.' },
      },
      secret: { revision: 2, handledRequest: 'r1', previousValidUntil: '2026-03-02T12:00:00Z' },
    })
  })

  it('names the Secret of an object managed in Kubernetes only', () => {
    expect(status({ object: aManagedObject(), row: aManagedRow() }).secret?.secretName).toBe(SECRET_NAME)
    expect(status({ object: aProjectedObject(), row: aRow() }).secret?.secretName).toBeUndefined()
  })

  it('names the earlier Secret until the new one is there, and that of a row that was lost', () => {
    const object = aManagedObject({ status: { secret: { revision: 1, secretName: 'earlier' } } })
    const row = aManagedRow({ secret: aManagedSecret({ created: [{ name: SECRET_NAME, uid: null }] }) })
    expect(statusOf(aSnapshot({ object, row }), { effects: [] }).secret?.secretName).toBe('earlier')
    expect(statusOf(aSnapshot({ object }), { effects: [] }).secret?.secretName).toBe('earlier')
  })

  it('keeps the version that was seen while the database is older', () => {
    const object = aManagedObject({ status: { rowVersion: 8, subscriptionId: ID } })
    expect(status({ object, row: aManagedRow() })).toMatchObject({ rowVersion: 8, subscriptionId: ID })
    expect(status({ object })).toMatchObject({ rowVersion: 8, subscriptionId: ID })
  })

  it('takes the version of the row after a decision', () => {
    const object = aManagedObject({ status: { rowVersion: 8 }, annotations: { 'sealwright.io/resolve': 'from-row' } })
    expect(status({ object, row: aManagedRow() }).rowVersion).toBe(3)
  })

  it('is the same whatever the order of its members, and another when one differs', () => {
    const before = status({ object: aProjectedObject(), row: aRow() })
    const again = status({ object: aProjectedObject({ status: before }), row: aRow() })
    expect(isSameStatus(JSON.parse(JSON.stringify(before)) as typeof before, again)).toBe(true)
    expect(isSameStatus(before, status({ object: aProjectedObject({ status: before }), row: aRow({ version: 4 }) }))).toBe(false)
  })

  it('keeps everything but Synced and Ready while the database is away', () => {
    const before = status({ object: aProjectedObject(), row: aRow({ hasDelivered: true, secret: rotating }) })
    const away = unavailableStatus(aProjectedObject({ status: before }), NEXT_DAY)
    expect(reasons(away)).toBe('Accepted StoreUnavailable Delivering GracePeriod NotSuspended StoreUnavailable')
    expect({ ...away, conditions: before.conditions }).toEqual(before)
    expect(isSameStatus(away, unavailableStatus(aProjectedObject({ status: away }), new Date()))).toBe(true)
  })
})

describe('Events', () => {
  const of = (from: Partial<Snapshot>, to: Partial<Snapshot>) => eventsOf(status(from), status(to)).map(({ reason }) => reason)
  const object = aProjectedObject()
  const row = aRow()
  const cases: [string, Partial<Snapshot>, Partial<Snapshot>, string[]][] = [
    ['nothing new', { object, row }, { object, row: { ...row, version: 4 } }, []],
    ['disabled automatically', { object, row }, { object, row: { ...row, ...failing } }, ['AutoDisabled']],
    ['enabled again', { object, row: { ...row, ...failing } }, { object, row: { ...row, hasDelivered: true } }, ['ReEnabled']],
    ['a rotation', { object, row }, { object, row: { ...row, secret: rotating } }, ['RotationStarted']],
    [
      'a second rotation',
      { object, row: { ...row, secret: rotating } },
      { object, row: { ...row, secret: { ...rotating, revision: 3 } } },
      ['RotationStarted'],
    ],
    ['the end of the grace', { object, row: { ...row, secret: rotating } }, { object, row }, ['RotationFinished']],
    ['a probe', { object, row }, { object, row: { ...row, lastProbeRequest: 'p' } }, ['Probed']],
    [
      'a refusal',
      { object: aManagedObject(), row: aManagedRow() },
      { object: aManagedObject(), refusal: { reason: 'Duplicate', message: 'm' } },
      ['Refused'],
    ],
    ['a rollback', { object, row }, { object: aProjectedObject({ status: { rowVersion: 9 } }), row }, ['Conflict']],
  ]
  for (const [name, from, to, expected] of cases) it(name, () => expect(of(from, to)).toEqual(expected))

  it('of a new object say that it is accepted', () => {
    expect(eventsOf({}, status({ object, row })).map(({ reason }) => reason)).toEqual(['Accepted'])
  })

  it('of a probe say how it ended', () => {
    const failed = { lastProbeRequest: 'p', lastProbeAt: NEXT_DAY, lastFailure: failing.lastFailure }
    const [event] = eventsOf(status({ object, row }), status({ object, row: { ...row, ...failed } }))
    expect(event).toMatchObject({ reason: 'Probed', note: expect.stringContaining('did not answer in time') as string })
  })
})
