import { describe, expect, it } from 'vitest'
import type { KeyVersionView, SigningKeyView } from '#core/signing-key/signing-key.ts'
import { plan } from '../../../../controller/signing-key/plan.ts'
import type { SigningKeySpec } from '../../../../controller/signing-key/resource.ts'
import {
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
import { type Case, judge } from '../../../support/builders/key-plans.ts'

const LEAVING = '2026-03-01T11:00:00Z'
const UNUSABLE = { reason: 'WrongPassword', message: 'The password is wrong.' } as const

describe('an object managed in Kubernetes', () => {
  const object = aKeyObject()
  const asking = aKeyObject({ spec: { rotation: { request: 'r1' } } })
  const failed = nextVersion({ state: 'FAILED', failure: UNUSABLE, request: 'r1' })
  const another: Pick<KeyVersionView, 'material'> = {
    material: { kind: 'SECRET', namespace: 'keys', name: 'seal-2025', key: 'tls.p12', passwordKey: 'password' },
  }
  const cases: Case[] = [
    { name: 'is left alone when it agrees with its row', snapshot: { object, row: aKeyRow() } },
    { name: 'gets its finalizer first', snapshot: { object: aKeyObject({ finalizers: [] }) }, effects: ['add-finalizer'] },
    { name: 'gets a row', snapshot: { object }, effects: ['apply-managed'] },
    {
      name: 'changes its row',
      snapshot: { object: aKeyObject({ generation: 2, spec: { state: 'Standby' } }), row: aKeyRow() },
      effects: ['apply-managed'],
    },
    {
      name: 'marks its row as compromised',
      snapshot: { object: aKeyObject({ spec: { compromisedSince: '2026-02-28T00:00:00Z' } }), row: aKeyRow() },
      effects: ['apply-managed'],
    },
    {
      name: 'takes the mark of an orphan away',
      snapshot: { object, row: aKeyRow({ orphanedAt: daysFromNow(-1) }) },
      effects: ['apply-managed'],
    },
    {
      name: 'does not bring a retired key back',
      snapshot: { object, row: aKeyRow({ state: 'RETIRED', versions: [retiredVersion()] }) },
    },
    { name: 'announces its first version', snapshot: { object, row: aKeyRow({ versions: [] }) }, effects: ['announce'] },
    {
      name: 'announces another Secret',
      snapshot: { object, row: aKeyRow({ versions: [aVersion(another)] }) },
      effects: ['announce'],
    },
    { name: 'announces once', snapshot: { object, row: aKeyRow({ versions: [nextVersion(), aVersion(another)] }) } },
    { name: 'rotates on a new request', snapshot: { object: asking, row: aKeyRow() }, effects: ['announce'] },
    { name: 'rotates once a request', snapshot: { object: asking, row: aKeyRow({ handledRequest: 'r1' }) } },
    { name: 'rotates once in a reconcile', snapshot: { object: asking, row: aKeyRow(), announcedRequest: 'r1' } },
    {
      name: 'waits for the version of the request',
      snapshot: { object: asking, row: aKeyRow({ versions: [nextVersion({ request: 'r1' }), aVersion()] }) },
    },
    { name: 'keeps faulty material', snapshot: { object: asking, row: aKeyRow({ versions: [failed, aVersion()] }) } },
    {
      name: 'replaces faulty material',
      snapshot: { object: asking, row: aKeyRow({ versions: [{ ...failed, ...another }, aVersion()] }) },
      effects: ['announce'],
    },
    {
      name: 'asks again when the version of the request was replaced unused',
      snapshot: {
        object: asking,
        row: aKeyRow({ versions: [aVersion({ version: 3 }), retiredVersion({ version: 2, request: 'r1', activatedAt: null })] }),
      },
      effects: ['announce'],
    },
    {
      name: 'that is refused has no row and no version',
      snapshot: { object, refusal: { reason: 'OrganisationUnknown', message: 'm' } },
      problem: 'OrganisationUnknown',
    },
    {
      name: 'that is refused for another key is loaded on standby',
      snapshot: {
        object,
        row: aKeyRow({ state: 'STANDBY', versions: [] }),
        refusal: { reason: 'AnotherKeyActive', message: 'm' },
      },
      effects: ['announce'],
      problem: 'AnotherKeyActive',
    },
    {
      name: 'tries again what was refused',
      snapshot: { object, row: aKeyRow({ state: 'STANDBY' }) },
      effects: ['apply-managed'],
    },
    {
      name: 'marks the row of an earlier object of its name',
      snapshot: { object, row: aKeyRow(), vanished: [aKeyRow({ id: 'other' })] },
      effects: ['mark-orphaned'],
    },
    { name: 'marks nothing after a mass loss', snapshot: { vanished: [aKeyRow()], holdsDeletions: true } },
  ]
  cases.forEach(judge)

  it('carries the request of a version that it replaces', () => {
    const versions = [{ ...failed, ...another }, aVersion()]
    expect(plan(aKeySnapshot({ object: asking, row: aKeyRow({ versions }) })).effects).toEqual([
      { do: 'announce', request: 'r1', material: aVersion().material },
    ])
  })
})

describe('the deletion of an object', () => {
  const object = aKeyObject({ deletionTimestamp: LEAVING })
  const generated = aVersion({ material: { kind: 'SECRET', namespace: 'keys', name: 'seal-v1-aa', key: 'tls.key' } })
  const retired = (change: Partial<KeyVersionView> = {}): Partial<SigningKeyView> => ({
    providerType: 'SELF_SIGNED',
    state: 'RETIRED',
    versions: [{ ...generated, state: 'RETIRED', ...change }],
  })
  const cases: Case[] = [
    { name: 'retires the key', snapshot: { object, row: aKeyRow() }, effects: ['retire-row'] },
    {
      name: 'leaves the Secret of a user',
      snapshot: { object, row: aKeyRow({ state: 'RETIRED', versions: [retiredVersion({ isReleased: true })] }) },
      effects: ['delete-row', 'release-finalizer'],
    },
    { name: 'waits for the workers', snapshot: { object, row: aKeyRow(retired()) } },
    {
      name: 'deletes what was generated',
      snapshot: { object, row: aKeyRow(retired({ isReleased: true })) },
      effects: ['delete-material'],
    },
    {
      name: 'ends when nothing is left',
      snapshot: { object, row: aKeyRow(retired({ isReleased: true, material: null })) },
      effects: ['delete-row', 'release-finalizer'],
    },
    { name: 'needs no row', snapshot: { object }, effects: ['release-finalizer'] },
    {
      name: 'without our finalizer is not ours',
      snapshot: { object: aKeyObject({ deletionTimestamp: LEAVING, finalizers: ['a/b'] }), row: aKeyRow() },
    },
    {
      name: 'with the definition is no request',
      snapshot: { object, row: aKeyRow(), isKindDeleted: true },
      effects: ['mark-orphaned', 'release-finalizer'],
    },
  ]
  cases.forEach(judge)
})

describe('a key that is issued', () => {
  const selfSigned: Partial<SigningKeySpec> = { provider: { type: 'SelfSigned', selfSigned: {} } }
  const certManager: Partial<SigningKeySpec> = { provider: { type: 'CertManager', certManager: { issuerRef: { name: 'ca' } } } }
  const self = (change: Partial<SigningKeyView> = {}) => aKeyRow({ providerType: 'SELF_SIGNED', ...change })
  const issued = (change: Partial<SigningKeyView> = {}) => aKeyRow({ providerType: 'CERT_MANAGER', ...change })
  const object = aKeyObject({ spec: selfSigned })
  const certified = aKeyObject({ spec: certManager })
  const late = daysFromNow(55)
  const none = { object: certified, row: issued({ versions: [] }) }
  const cases: Case[] = [
    { name: 'is generated', snapshot: { object, row: self({ versions: [] }) }, effects: ['generate'] },
    { name: 'stays until the last third of its certificate', snapshot: { object, row: self() } },
    { name: 'is renewed then', snapshot: { object, row: self(), now: late }, effects: ['generate'] },
    { name: 'is renewed once', snapshot: { object, row: self({ versions: [nextVersion(), aVersion()] }), now: late } },
    {
      name: 'is renewed by its schedule',
      snapshot: { object: aKeyObject({ spec: { ...selfSigned, rotation: { every: '240h' } } }), row: self() },
      effects: ['generate'],
    },
    {
      name: 'is renewed before its end, as it says',
      snapshot: {
        object: aKeyObject({
          spec: { provider: { type: 'CertManager', certManager: { issuerRef: { name: 'ca' }, renewBefore: '1920h' } } },
        }),
        row: issued(),
        certificate: { kind: 'ABSENT' },
      },
      effects: ['create-certificate'],
    },
    {
      name: 'forgets what nothing uses',
      snapshot: { object, row: self({ versions: [aVersion({ version: 2 }), retiredVersion({ isReleased: true })] }) },
      effects: ['delete-material'],
    },
    { name: 'gets a Certificate', snapshot: { ...none, certificate: { kind: 'ABSENT' } }, effects: ['create-certificate'] },
    {
      name: 'gets another when the issuer changes',
      snapshot: { ...none, certificate: { kind: 'OTHER' } },
      effects: ['delete-certificate'],
    },
    { name: 'waits for cert-manager', snapshot: { ...none, certificate: { kind: 'ISSUING', message: 'm' } } },
    {
      name: 'is announced when it is issued',
      snapshot: { ...none, certificate: { kind: 'READY', secretName: 's' } },
      effects: ['announce'],
    },
  ]
  cases.forEach(judge)
})

describe('a key managed in Postgres', () => {
  const object = anInstallationObject()
  const row = anInstallationRow()
  const asking = anInstallationObject({ spec: { rotation: { request: 'r1' } } })
  const edited = anInstallationObject({
    spec: { state: 'Standby', compromisedSince: '2026-01-01T00:00:00Z' },
    status: { rowVersion: 5 },
  })
  const cases: Case[] = [
    { name: 'is left alone when it agrees with its row', snapshot: { object, row } },
    { name: 'is shown', snapshot: { row }, effects: ['apply-object'] },
    { name: 'is not shown beyond the limit', snapshot: { row, hasRoom: false } },
    {
      name: 'is not shown again when it is retired',
      snapshot: { row: aKeyRow({ origin: 'API', state: 'RETIRED', versions: [] }) },
    },
    { name: 'comes back only when it is gone', snapshot: { object: anInstallationObject({ deletionTimestamp: LEAVING }), row } },
    { name: 'gets its fields back', snapshot: { object: edited, row }, effects: ['apply-object'] },
    { name: 'is rotated when it was made here', snapshot: { object: asking, row }, effects: ['rotate'] },
    { name: 'is rotated once', snapshot: { object: asking, row: anInstallationRow({ handledRequest: 'r1' }) } },
    {
      name: 'is not rotated when it was imported',
      snapshot: { object: asking, row: anInstallationRow({ versions: [aVersion()] }) },
    },
    { name: 'goes with its row', snapshot: { object }, effects: ['delete-object'] },
    { name: 'stays after a mass loss', snapshot: { object, holdsDeletions: true } },
    { name: 'is not made by users', snapshot: { object: anInstallationObject({ name: 'mine' }) }, problem: 'Conflict' },
    {
      name: 'is not shown as that of another organisation',
      snapshot: { object: anInstallationObject({ spec: { orgId: ID } }), row },
      problem: 'Conflict',
    },
  ]
  cases.forEach(judge)

  it('says what a user changed, unless the row has changed too', () => {
    const reverted = (rowVersion: number) => {
      const [effect] = plan(aKeySnapshot({ object: { ...edited, status: { rowVersion } }, row })).effects
      return effect?.do === 'apply-object' ? effect.reverted : undefined
    }
    expect(reverted(5)).toEqual(['state', 'compromisedSince'])
    expect(reverted(4)).toEqual([])
  })

  it('quotes a request that it cannot carry out', () => {
    const { rotationRefusal } = plan(aKeySnapshot({ object: asking, row: anInstallationRow({ versions: [aVersion()] }) }))
    expect(rotationRefusal).toMatch(/"r1".*sealwright key import --p12 FILE$/)
  })
})
