import { describe, expect, it } from 'vitest'
import type { KeyVersionView, SigningKeyView } from '#core/signing-key/signing-key.ts'
import { KEY_CONDITIONS } from '../../../../controller/reasons.ts'
import { isSameStatus } from '../../../../controller/resource/shown-status.ts'
import { eventsOf } from '../../../../controller/signing-key/events.ts'
import { plan } from '../../../../controller/signing-key/plan.ts'
import type { SigningKeyStatus } from '../../../../controller/signing-key/resource.ts'
import type { Snapshot } from '../../../../controller/signing-key/snapshot.ts'
import { statusOf, unavailableStatus } from '../../../../controller/signing-key/status.ts'
import {
  aCertificate,
  aKeyObject,
  aKeyRow,
  aKeySnapshot,
  anInstallationObject,
  anInstallationRow,
  aVersion,
  daysFromNow,
  ID,
  nextVersion,
  retiredVersion,
} from '../../../support/builders/key-objects.ts'

const object = aKeyObject()
const loading = { loaded: 1, live: 2, missing: ['worker-b'] }

function status(change: Partial<Snapshot>): SigningKeyStatus {
  const snapshot = aKeySnapshot(change)
  return statusOf(snapshot, plan(snapshot))
}

function versions(...list: KeyVersionView[]): Partial<Snapshot> {
  const isFaulty = list[0]?.state === 'FAILED'
  const missing = ['worker-a', 'worker-b']
  return { object, row: aKeyRow({ versions: list, ...(isFaulty && { loadedBy: { loaded: 0, live: 2, missing } }) }) }
}

function failed(reason: NonNullable<KeyVersionView['failure']>['reason']): KeyVersionView {
  return nextVersion({ state: 'FAILED', failure: { reason, message: 'It cannot be used.' } })
}

/** As `Type reason`, of all but Accepted and Synced when they are True. */
function reasons({ conditions = [] }: SigningKeyStatus): string {
  const usual = ['Accepted Accepted', 'Synced Synced']
  return conditions
    .map(({ type, reason }) => `${type} ${reason}`)
    .filter((each) => !usual.includes(each))
    .join(', ')
}

const GOOD = 'MaterialAvailable Available, CertificateValid Valid, Loaded AllWorkers, Trusted ChainComplete'
const REST = 'CertificateValid Valid, Loaded WaitingForWorkers, Trusted ChainComplete, RotationInProgress NoRotation'
const trusted = aVersion({ selfMade: true, activatedAt: daysFromNow(-3) })

const CASES: [string, Partial<Snapshot>, string][] = [
  ['in use', versions(aVersion()), `${GOOD}, RotationInProgress NoRotation, Ready Ready`],
  [
    'first version not tried yet',
    { object, row: aKeyRow({ versions: [nextVersion({ version: 1 })], loadedBy: { loaded: 0, live: 0, missing: [] } }) },
    'Loaded WaitingForWorkers, RotationInProgress NoRotation, Ready WaitingForWorkers',
  ],
  [
    'rotating',
    { object, row: aKeyRow({ versions: [nextVersion(), aVersion()], loadedBy: loading }) },
    'MaterialAvailable Available, CertificateValid Valid, Loaded WaitingForWorkers, Trusted ChainComplete, RotationInProgress GracePeriod, Ready WaitingForWorkers',
  ],
  ...(['SecretMissing', 'WrongPassword', 'NotPkcs12', 'NoPrivateKey', 'KeyTooWeak'] as const).map(
    (reason): [string, Partial<Snapshot>, string] => [
      reason,
      versions(failed(reason), aVersion()),
      `MaterialAvailable ${reason}, ${REST}, Ready ${reason}`,
    ],
  ),
  ...(['Expired', 'NotYetValid'] as const).map((reason): [string, Partial<Snapshot>, string] => [
    `next version: ${reason}`,
    versions(failed(reason), aVersion()),
    `MaterialAvailable Available, CertificateValid ${reason}, Loaded WaitingForWorkers, Trusted ChainComplete, RotationInProgress NoRotation, Ready ${reason}`,
  ]),
  [
    'expiring',
    versions(aVersion({ certificate: aCertificate({ notAfter: daysFromNow(30) }) })),
    `${GOOD.replace('Valid Valid', 'Valid ExpiringSoon')}, RotationInProgress NoRotation, Ready Ready`,
  ],
  [
    'expired while in use',
    versions(aVersion({ certificate: aCertificate({ notAfter: daysFromNow(-1) }) })),
    `${GOOD.replace('Valid Valid', 'Valid Expired')}, RotationInProgress NoRotation, Ready Expired`,
  ],
  [
    'without its issuers',
    versions(aVersion({ certificate: aCertificate({ isChainComplete: false }) })),
    `${GOOD.replace('ChainComplete', 'ChainIncomplete')}, RotationInProgress NoRotation, Ready Ready`,
  ],
  [
    'self-signed',
    { object: anInstallationObject(), row: anInstallationRow() },
    `${GOOD.replace('ChainComplete', 'SelfSigned')}, RotationInProgress NoRotation, Ready Ready`,
  ],
  [
    'self-signed, after a key with more trust',
    { object: anInstallationObject(), row: anInstallationRow({ versions: [trusted], scopeTrustedUntil: daysFromNow(-1) }) },
    `${GOOD.replace('ChainComplete', 'SelfSigned')}, RotationInProgress NoRotation, Ready SelfSigned`,
  ],
  [
    'self-signed, while another key seals',
    {
      object: anInstallationObject(),
      row: anInstallationRow({ versions: [trusted], scopeTrustedUntil: daysFromNow(-1), isReplaced: true }),
    },
    `${GOOD.replace('ChainComplete', 'SelfSigned')}, RotationInProgress NoRotation, Ready Ready`,
  ],
  [
    'compromised',
    {
      object: aKeyObject({ spec: { compromisedSince: '2026-02-27T12:00:00Z' } }),
      row: aKeyRow({ compromisedSince: daysFromNow(-2) }),
    },
    `${GOOD}, RotationInProgress NoRotation, Ready Compromised`,
  ],
  [
    'on standby',
    { object: aKeyObject({ spec: { state: 'Standby' } }), row: aKeyRow({ state: 'STANDBY' }) },
    `${GOOD}, RotationInProgress NoRotation, Ready Ready`,
  ],
  [
    'retired',
    { object: aKeyObject({ spec: { state: 'Retired' } }), row: aKeyRow({ state: 'RETIRED', versions: [retiredVersion()] }) },
    'RotationInProgress NoRotation, Ready Ready',
  ],
  [
    'refused',
    { object, refusal: { reason: 'OrganisationUnknown', message: 'There is none.' } },
    'Accepted OrganisationUnknown, RotationInProgress NoRotation, Ready OrganisationUnknown',
  ],
  [
    'refused for another key',
    { object, row: aKeyRow({ state: 'STANDBY' }), refusal: { reason: 'AnotherKeyActive', message: 'There is another.' } },
    `Accepted AnotherKeyActive, ${GOOD}, RotationInProgress NoRotation, Ready AnotherKeyActive`,
  ],
  [
    'waiting for cert-manager',
    {
      object: aKeyObject({ spec: { provider: { type: 'CertManager', certManager: { issuerRef: { name: 'ca' } } } } }),
      row: aKeyRow({ providerType: 'CERT_MANAGER', versions: [] }),
      certificate: { kind: 'ISSUING', message: 'It is not ready.' },
    },
    'MaterialAvailable CertificatePending, RotationInProgress NoRotation, Ready CertificatePending',
  ],
]

describe('conditions of a key', () => {
  for (const [name, snapshot, expected] of CASES) it(name, () => expect(reasons(status(snapshot))).toBe(expected))

  it('stand in the order of the contract, with the status that belongs to the reason', () => {
    const order = Object.keys(KEY_CONDITIONS)
    for (const [, snapshot] of CASES) {
      const { conditions = [] } = status(snapshot)
      const types = conditions.map(({ type }) => type)
      expect(types).toEqual(order.filter((type) => types.includes(type)))
      for (const { type, reason, status: value, message, observedGeneration } of conditions) {
        const known = KEY_CONDITIONS[type as 'Accepted'].reasons[reason as 'Accepted'] as { status: string } | undefined
        if (type !== 'Ready') expect({ type, reason, value }).toEqual({ type, reason, value: known?.status })
        expect(message).not.toBe('')
        expect(observedGeneration).toBe(1)
      }
    }
  })

  it('say who is missing, what stays in use and which request is open', () => {
    const messageOf = (snapshot: Partial<Snapshot>, wanted: string) =>
      status(snapshot).conditions?.find(({ type }) => type === wanted)?.message
    const rotating = { object, row: aKeyRow({ versions: [nextVersion(), aVersion()], loadedBy: loading }) }
    expect(messageOf(rotating, 'Loaded')).toBe('Version 2 is not loaded by: worker-b.')
    expect(messageOf(rotating, 'RotationInProgress')).toMatch(/60 seconds\. Not yet: worker-b\.$/)
    expect(messageOf(versions(failed('NotPkcs12'), aVersion()), 'MaterialAvailable')).toBe(
      'Version 2: It cannot be used. Version 1 stays in use.',
    )
    const asking = aKeyObject({ spec: { rotation: { request: 'r1' } } })
    const refused = { ...failed('NotPkcs12'), request: 'r1' }
    const row = aKeyRow({ versions: [refused, aVersion()] })
    expect(messageOf({ object: asking, row }, 'RotationInProgress')).toMatch(/request "r1" is still open/)
    const unreadable = aVersion({ failure: { reason: 'SecretMissing', message: 'The Secret keys/seal-2026 does not exist.' } })
    const reloading = { object, row: aKeyRow({ versions: [unreadable], loadedBy: loading }) }
    expect(messageOf(reloading, 'Loaded')).toMatch(/not loaded by: worker-b\. The Secret keys\/seal-2026 does not exist\.$/)
    const many = Array.from({ length: 300 }, (_, index) => `worker-${index}`)
    const crowd = { object, row: aKeyRow({ loadedBy: { loaded: 0, live: 300, missing: many } }) }
    expect(messageOf(crowd, 'Loaded')).toMatch(/worker-9 and 290 more\.$/)
  })
})

describe('the status of a key', () => {
  it('shows the row, with times of whole seconds', () => {
    const retired = retiredVersion({ version: 1 })
    const row = aKeyRow({ versions: [nextVersion({ version: 3 }), aVersion({ version: 2 }), retired], handledRequest: 'r1' })
    expect({ ...status({ object, row }), conditions: [] }).toEqual({
      observedGeneration: 1,
      keyId: ID,
      rowVersion: 5,
      active: {
        version: 2,
        fingerprint: 'ab'.repeat(32),
        subject: 'CN=Seal',
        issuer: 'CN=Authority',
        serial: '1f',
        notBefore: '2026-02-19T12:00:00Z',
        notAfter: '2026-05-20T12:00:00Z',
      },
      next: { version: 3 },
      versions: [
        { version: 3, state: 'Announced' },
        { version: 2, state: 'Active', fingerprint: 'ab'.repeat(32), notAfter: '2026-05-20T12:00:00Z' },
        { version: 1, state: 'Retired', fingerprint: 'ab'.repeat(32), notAfter: '2026-05-20T12:00:00Z' },
      ],
      handledRequest: 'r1',
      loadedBy: '2/2',
      conditions: [],
    })
  })

  it('has the time of the next scheduled rotation', () => {
    const spec = { provider: { type: 'SelfSigned', selfSigned: {} }, rotation: { every: '300h' } } as const
    const row = aKeyRow({ providerType: 'SELF_SIGNED' })
    expect(status({ object: aKeyObject({ spec }), row }).renewalTime).toBe('2026-03-04T00:00:00Z')
  })

  it('keeps what was seen while the database is older', () => {
    const before = { ...status(versions(aVersion())), rowVersion: 9 }
    const after = status({ object: aKeyObject({ status: before }), row: aKeyRow({ versions: [aVersion({ version: 7 })] }) })
    expect(after).toMatchObject({ rowVersion: 9, active: { version: 1 } })
    expect(reasons(after)).toMatch(/Synced StoreRolledBack, Ready StoreRolledBack$/)
  })

  it('keeps everything but Synced and Ready while the database is away', () => {
    const before = status(versions(aVersion()))
    const away = unavailableStatus(aKeyObject({ status: before }), daysFromNow(1))
    expect(reasons(away)).toBe(`${GOOD}, RotationInProgress NoRotation, Synced StoreUnavailable, Ready StoreUnavailable`)
    expect({ ...away, conditions: before.conditions }).toEqual(before)
    expect(isSameStatus(away, unavailableStatus(aKeyObject({ status: away }), daysFromNow(2)))).toBe(true)
  })
})

describe('Events of a key', () => {
  const of = (from: Partial<Snapshot>, to: Partial<Snapshot>) => eventsOf(status(from), status(to)).map(({ reason }) => reason)
  const inUse = versions(aVersion())
  const rotating = { object, row: aKeyRow({ versions: [nextVersion(), aVersion()], loadedBy: loading }) }
  const second: SigningKeyView = aKeyRow({ versions: [aVersion({ version: 2 }), retiredVersion()] })
  const cases: [string, Partial<Snapshot>, Partial<Snapshot>, string[]][] = [
    ['nothing new', inUse, { object, row: aKeyRow({ rowVersion: 6 }) }, []],
    ['the start of a rotation', inUse, rotating, ['RotationStarted']],
    ['its end', rotating, { object, row: second }, ['KeyLoaded', 'KeyActivated', 'KeyRetired', 'RotationFinished']],
    ['faulty material', inUse, versions(failed('NotPkcs12'), aVersion()), ['Refused']],
    ['an expired file', inUse, versions(failed('Expired'), aVersion()), ['Refused']],
    ['an end that comes near', inUse, CASES.find(([name]) => name === 'expiring')![1], ['ExpiringSoon']],
    ['the end of a key', inUse, CASES.find(([name]) => name === 'retired')![1], ['KeyRetired']],
    ['a refusal', inUse, CASES.find(([name]) => name === 'refused for another key')![1], ['Refused']],
    ['a rollback', inUse, { object: aKeyObject({ status: { ...status(inUse), rowVersion: 9 } }), row: aKeyRow() }, ['Conflict']],
  ]
  for (const [name, from, to, expected] of cases) it(name, () => expect(of(from, to)).toEqual(expected))

  it('of a new key say that it is accepted, loaded and in use', () => {
    expect(eventsOf({}, status(inUse)).map(({ reason }) => reason)).toEqual(['Accepted', 'KeyLoaded', 'KeyActivated'])
  })
})
