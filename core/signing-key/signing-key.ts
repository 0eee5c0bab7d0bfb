// The words of a signing key: the logical key, its versions, and where their private keys are.
import type { LoadFailure, ProviderType } from './rules.ts'

export type { LoadFailure } from './rules.ts'

export type KeyOrigin = 'API' | 'KUBERNETES'

/** Only an ACTIVE key seals. RETIRED is final. */
export type KeyState = 'STANDBY' | 'ACTIVE' | 'RETIRED'

/** ANNOUNCED: workers load it. FAILED: they cannot use it. RETIRED: another version replaced it. */
export type VersionState = 'ANNOUNCED' | 'ACTIVE' | 'RETIRED' | 'FAILED'

/** A Kubernetes Secret. `key` names the entry with a PKCS#12 file, and `passwordKey` the entry with its password; for the key `tls.key` the Secret holds PEM in
 *  `tls.key` and `tls.crt`, as cert-manager writes it. */
export interface SecretReference {
  namespace: string
  name: string
  key: string
  passwordKey?: string
}

/** Where the private key of a version is. FILE: the key file of the settings; of a self-signed version, the file of an earlier release
 *  that no worker has taken over yet. BOX: encrypted in the database. */
export type KeyMaterial = { kind: 'FILE' } | { kind: 'BOX' } | ({ kind: 'SECRET' } & SecretReference)

export interface KeyVersionView {
  version: number
  state: VersionState
  /** Null: the material was deleted after the version was released. */
  material: KeyMaterial | null
  /** A certificate that this installation made itself. */
  /** Whether this installation made the key; it is then self-signed. */
  selfMade: boolean
  /** Null until a worker has opened the key. */
  certificate: KeyCertificate | null
  /** Why workers cannot use it: of all while it is FAILED, of at least one while it is ACTIVE. */
  failure: { reason: LoadFailure; message: string } | null
  /** The request of the rotation that announced it. */
  request: string | null
  announcedAt: Date
  activatedAt: Date | null
  retiredAt: Date | null
  /** No job uses the retired version any more: its Secret may be deleted. */
  isReleased: boolean
}

export interface KeyCertificate {
  fingerprint: string
  /** Names on one line. */
  subject: string
  issuer: string
  /** Hexadecimal. */
  serial: string
  notBefore: Date
  notAfter: Date
  /** The certificate issued itself. */
  isSelfSigned: boolean
  /** The chain ends with a root. */
  isChainComplete: boolean
}

/** The Kubernetes object that decides about a key. */
export interface KeyObjectRef {
  namespace: string
  name: string
  uid: string
  generation: number
  createdAt: Date
}

export interface SigningKeyView {
  id: string
  /** Null: for the whole installation. */
  orgId: string | null
  origin: KeyOrigin
  providerType: ProviderType
  state: KeyState
  createdAt: Date
  compromisedSince: Date | null
  /** Newest first, at most ten. */
  versions: KeyVersionView[]
  /** The version that seals. */
  active: KeyVersionView | undefined
  /** The newest version, while it is announced or failed. */
  next: KeyVersionView | undefined
  /** Workers that loaded the next version, or without one the active version. */
  loadedBy: LoadedBy
  /** Since the next version was announced, while another one is active. */
  rotation: { since: Date } | null
  handledRequest: string | null
  rowVersion: number
  object: KeyObjectRef | null
  orphanedAt: Date | null
  /** When a key with a certificate of an issuer was last in use for the same documents but is no longer. */
  scopeTrustedUntil: Date | null
  /** The installation's own key, while another one seals for the whole installation. */
  isReplaced: boolean
}

export interface LoadedBy {
  loaded: number
  live: number
  /** The names of the live workers that have not loaded the version. */
  missing: string[]
}
