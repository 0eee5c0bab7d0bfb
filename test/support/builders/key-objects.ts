// SigningKeys, rows and snapshots for tests of decisions: one that agrees with itself, to change in one point.
import type { KeyCertificate, KeyVersionView, SigningKeyView } from '#core/signing-key/signing-key.ts'
import {
  SIGNING_KEY_FINALIZER,
  type SigningKeyObject,
  type SigningKeySpec,
  type SigningKeyStatus,
} from '../../../controller/signing-key/resource.ts'
import type { Snapshot } from '../../../controller/signing-key/snapshot.ts'

export const NOW = new Date('2026-03-01T12:00:00Z')
export const ID = '22222222-2222-4222-8222-222222222222'
const DAY_MS = 86_400_000

export function daysFromNow(days: number): Date {
  return new Date(NOW.getTime() + days * DAY_MS)
}

export function aCertificate(change: Partial<KeyCertificate> = {}): KeyCertificate {
  return {
    fingerprint: 'ab'.repeat(32),
    subject: 'CN=Seal',
    issuer: 'CN=Authority',
    serial: '1f',
    notBefore: daysFromNow(-10),
    notAfter: daysFromNow(80),
    isSelfSigned: false,
    isChainComplete: true,
    ...change,
  }
}

/** The active one, from the Secret of `aKeyObject()`. */
export function aVersion(change: Partial<KeyVersionView> = {}): KeyVersionView {
  return {
    version: 1,
    state: 'ACTIVE',
    material: { kind: 'SECRET', namespace: 'keys', name: 'seal-2026', key: 'tls.p12', passwordKey: 'password' },
    selfMade: false,
    certificate: aCertificate(),
    failure: null,
    request: null,
    announcedAt: daysFromNow(-10),
    activatedAt: daysFromNow(-10),
    retiredAt: null,
    isReleased: false,
    ...change,
  }
}

export function retiredVersion(change: Partial<KeyVersionView> = {}): KeyVersionView {
  return aVersion({ state: 'RETIRED', retiredAt: NOW, ...change })
}

export function nextVersion(change: Partial<KeyVersionView> = {}): KeyVersionView {
  return aVersion({ version: 2, state: 'ANNOUNCED', certificate: null, activatedAt: null, announcedAt: NOW, ...change })
}

/** The row of `aKeyObject()`. `versions` are newest first. */
export function aKeyRow({ versions = [aVersion()], ...change }: Partial<SigningKeyView> = {}): SigningKeyView {
  const next = versions.find(({ state }) => state === 'ANNOUNCED' || state === 'FAILED')
  const active = versions.find(({ state }) => state === 'ACTIVE')
  return {
    id: ID,
    orgId: null,
    origin: 'KUBERNETES',
    providerType: 'PKCS12',
    state: 'ACTIVE',
    createdAt: daysFromNow(-10),
    compromisedSince: null,
    versions,
    active,
    next,
    loadedBy: { loaded: 2, live: 2, missing: [] },
    rotation: next && active ? { since: next.announcedAt } : null,
    handledRequest: null,
    rowVersion: 5,
    object: { namespace: 'keys', name: 'seal', uid: 'uid-1', generation: 1, createdAt: daysFromNow(-10) },
    orphanedAt: null,
    scopeTrustedUntil: null,
    isReplaced: false,
    ...change,
  }
}

export type ObjectChange = Partial<SigningKeyObject['metadata']> & { spec?: Partial<SigningKeySpec>; status?: SigningKeyStatus }

export function aKeyObject({ spec, status, ...metadata }: ObjectChange = {}): SigningKeyObject {
  return {
    apiVersion: 'sealwright.io/v1alpha1',
    kind: 'SigningKey',
    metadata: {
      name: 'seal',
      namespace: 'keys',
      uid: 'uid-1',
      resourceVersion: '7',
      generation: 1,
      creationTimestamp: '2026-02-19T12:00:00Z',
      finalizers: [SIGNING_KEY_FINALIZER],
      ...metadata,
    },
    spec: { provider: { type: 'PKCS12', pkcs12: { secretRef: { name: 'seal-2026' } } }, ...spec },
    ...(status && { status }),
  }
}

/** The installation's own, self-signed key. */
export function anInstallationRow(change: Partial<SigningKeyView> = {}): SigningKeyView {
  const versions = [aVersion({ selfMade: true, material: { kind: 'FILE' } })]
  return aKeyRow({ origin: 'API', providerType: 'INSTALLATION', object: null, versions, ...change })
}

/** The object of `anInstallationRow()`. */
export function anInstallationObject({ spec, ...change }: ObjectChange = {}): SigningKeyObject {
  const object = aKeyObject({ name: 'installation', finalizers: [], ...change })
  return { ...object, spec: { origin: 'API', state: 'Active', provider: { type: 'Installation' }, ...spec } }
}

export function aKeySnapshot(change: Partial<Snapshot> = {}): Snapshot {
  return {
    namespace: 'keys',
    name: change.object?.metadata.name ?? 'installation',
    vanished: [],
    certificate: { kind: 'UNREAD' },
    holdsDeletions: false,
    isKindDeleted: false,
    hasRoom: true,
    now: NOW,
    ...change,
  }
}
