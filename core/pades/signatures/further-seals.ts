// Which later signatures are further seals of the same sealer. The sealer places its marks itself, those of several signers in one field
// whose rectangle may contain text, so they need no check of what they cover.
import type { SignedPart } from '#core/pdf/revisions/signed-revision.ts'
import { isSignedBy } from '../verify/build-chain.ts'
import type { Integrity } from './check-integrity.ts'

export interface SignedSeal {
  readonly signed: SignedPart | undefined
  readonly integrity: Integrity | undefined
  /** Whether it says that it is a seal. */
  readonly isSeal: boolean
}

/** The object numbers of the fields of all seals by the sealer of this one. */
export function fieldsOfSealer(seal: Integrity, signatures: readonly SignedSeal[]): Set<number> {
  const own = signatures.filter(({ isSeal, integrity }) => isSeal && integrity !== undefined && isSameSealer(seal, integrity))
  return new Set(own.flatMap(({ signed }) => signed?.field.ref?.num ?? []))
}

/** Whether both have one certificate, or one is renewed: the same name from the same issuer. Certificates of others may share the issuer, but not the name. */
export function isSameSealer({ signer, issuers = [] }: Integrity, other: Integrity): boolean {
  if (signer === undefined || other.signer === undefined || !other.intact) return false
  const { der, subject } = other.signer
  if (der.equals(signer.der)) return true
  return (
    subject.equals(signer.subject) && issuers.some((issuer) => other.signer !== undefined && isSignedBy(other.signer, issuer))
  )
}
