// What the key thread is given and answers.
import type { LoadFailure } from '../rules.ts'
import type { OpenedCertificate } from '../version-store.ts'

/** A private key as it was found. */
export type FoundKey =
  | { readonly kind: 'P12'; readonly bytes: Uint8Array; readonly password: string }
  /** The private key and its certificates, in any order. */
  | { readonly kind: 'PEM'; readonly text: string }

export interface KeyTask {
  readonly found: FoundKey
  /** The time for which the key must be valid. */
  readonly now: Date
}

/** A key that was opened, and that has made a signature which its certificate verifies. */
export interface OpenedKey {
  /** The private key, its certificate and chain; secret. */
  pem: string
  certificate: OpenedCertificate
}

export type KeyAnswer =
  | { readonly ok: true; readonly key: OpenedKey }
  | { readonly ok: false; readonly reason: LoadFailure; readonly message: string }
