// The answer of the strict check as data: it crosses threads, and the command line prints it as JSON.

import type { AuditHead } from '../audit-head.ts'

/** Why a file is not valid. Callers and tests may rely on these codes; people read `message`. */
export type VerifyReason =
  /** The bytes are no PDF that can be read without guessing. */
  | 'NOT_A_PDF'
  /** No signature field of the document is signed. */
  | 'NO_SIGNATURE'
  /** No signature covers the file from its first byte to its last: something was added, cut off or forged. */
  | 'COVERAGE_INCOMPLETE'
  /** The signature dictionary names one thing twice, with different values. */
  | 'SIGNATURE_AMBIGUOUS'
  /** What the byte range leaves out is not exactly the hexadecimal string of /Contents. */
  | 'HOLE_MISMATCH'
  /** The room that the signature does not need is not filled with zeros. */
  | 'PADDING_NOT_ZERO'
  /** /SubFilter is not ETSI.CAdES.detached, or the dictionary is no plain signature. */
  | 'SIGNATURE_KIND_UNSUPPORTED'
  /** /M is missing or is no date. */
  | 'SIGNING_TIME_MISSING'
  /** The signature is not the CMS of a seal in DER: one signer, detached, the three signed attributes and nothing else. */
  | 'CMS_MALFORMED'
  /** A digest other than SHA-256, SHA-384 or SHA-512, or a key other than RSA from 2048 bits, P-256 or P-384. */
  | 'ALGORITHM_UNSUPPORTED'
  /** A certificate is missing, is not the one that the signature names, or does not belong to its chain. */
  | 'CERTIFICATE_MISMATCH'
  /** The file has other bytes than those that were signed. */
  | 'DIGEST_MISMATCH'
  /** The signature was not made with the key of its certificate. */
  | 'SIGNATURE_INVALID'
  /** The certificate had expired, or did not count yet, at the signing time. */
  | 'CERTIFICATE_NOT_IN_DATE'
  /** The certificate is not meant for signatures. */
  | 'CERTIFICATE_UNFIT'
  /** The certificate leads to none of those that the caller trusts. */
  | 'UNTRUSTED'
  /** The signing time lies behind the moment from which the key counts as compromised. */
  | 'KEY_COMPROMISED'

export interface VerifiedSignature {
  /** What the file says (/M): covered by the signature, but the word of the one who signed. */
  readonly signedAt: Date
  /** /Name of the signature dictionary, as it stands there; null when it has none. */
  readonly signerName: string | null
  /** Which audit trail the seal names in /Reason; null when it names none. */
  readonly auditHead: AuditHead | null
  readonly byteRange: ByteRange
  readonly certificate: VerifiedCertificate
}

/** Start and length of the bytes before the gap, then of those behind it (ISO 32000-2, 12.8.1). */
export type ByteRange = readonly [number, number, number, number]

export interface VerifiedCertificate {
  /** Names on one line, control characters escaped. */
  readonly subject: string
  readonly issuer: string
  /** Lower-case hex. */
  readonly serial: string
  readonly notBefore: Date
  readonly notAfter: Date
  /** SHA-256 over the DER, lower-case hex. */
  readonly fingerprint: string
}

export interface Verdict {
  readonly valid: boolean
  /** Empty when valid. */
  readonly reasons: readonly VerifyReason[]
  /** One plain sentence. */
  readonly message: string
  /** Whether the certificate is one that the caller trusts or leads to one; null when the caller gave none. */
  readonly trusted: boolean | null
  /** What the signature says of itself, also when it is not valid; absent when it could not be read. */
  readonly signature?: VerifiedSignature
}

/** Thrown inside the check where the rest of it makes no sense, and turned into a verdict at its edge. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError'
  readonly reason: VerifyReason

  constructor(reason: VerifyReason, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
