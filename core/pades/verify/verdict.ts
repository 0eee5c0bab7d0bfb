// The result of the strict check as data: it crosses threads, and the command line prints it as JSON.

import type { AuditHead } from '../audit-head.ts'

/** Why a file is not valid. Callers and tests may rely on these codes; `message` is for people. */
export type VerifyReason =
  /** The bytes are not a PDF that can be read without guessing. */
  | 'NOT_A_PDF'
  /** No signature field of the document is signed. */
  | 'NO_SIGNATURE'
  /** No signature covers the file from its first byte to its last: something was added, cut off or forged. */
  | 'COVERAGE_INCOMPLETE'
  /** The signature dictionary has a key twice, with different values. */
  | 'SIGNATURE_AMBIGUOUS'
  /** The gap of the byte range is not exactly the hexadecimal string of /Contents. */
  | 'GAP_MISMATCH'
  /** The unused space of /Contents is not filled with zeros. */
  | 'PADDING_NOT_ZERO'
  /** /SubFilter is not ETSI.CAdES.detached, the dictionary is not a plain signature, or the seal is of a later format. */
  | 'SIGNATURE_KIND_UNSUPPORTED'
  /** /M is missing or not a date. */
  | 'SIGNING_TIME_MISSING'
  /** /M is more than 24 hours after the time of the check. */
  | 'SIGNING_TIME_IN_FUTURE'
  /** The signature is not the CMS of a seal in DER: one signer, detached, the three signed attributes and nothing else. */
  | 'CMS_MALFORMED'
  /** A digest other than SHA-256, SHA-384 or SHA-512, or a key other than RSA from 2048 bits, P-256 or P-384. */
  | 'ALGORITHM_UNSUPPORTED'
  /** A certificate is missing, is not the one that the signature identifies, or does not belong to its chain. */
  | 'CERTIFICATE_MISMATCH'
  /** The signed bytes were changed. */
  | 'DIGEST_MISMATCH'
  /** The signature was not made with the key of its certificate. */
  | 'SIGNATURE_INVALID'
  /** The signature holds, but parts that it does not cover are not as they were made: a certificate was left out or added, or s of ECDSA replaced. */
  | 'SIGNATURE_REWRITTEN'
  /** The certificate had expired, or was not valid yet, at the signing time. */
  | 'CERTIFICATE_NOT_IN_DATE'
  /** The certificate's key usage does not allow signatures. */
  | 'KEY_USAGE_MISMATCH'
  /** The certificate chains to none that the caller trusts. */
  | 'UNTRUSTED'
  /** The signing time is after the moment from which the key counts as compromised. */
  | 'KEY_COMPROMISED'
  /** An earlier signature in the file is broken or does not permit what came after it; only verifyDocument finds it. */
  | 'EARLIER_SIGNATURE_BROKEN'
  /** A signature that was added after the seal is broken; only verifyDocument finds it. */
  | 'LATER_SIGNATURE_BROKEN'
  /** What came after a signature cannot be read, so it cannot be explained; only verifyDocument finds it. */
  | 'LATER_CHANGES_UNREADABLE'

export interface VerifiedSignature {
  /** The time in /M: signed, but as the signer states it. */
  readonly signedAt: Date
  /** /Name of the signature dictionary as written; null when absent. */
  readonly signerName: string | null
  /** The audit head that the seal states in /Reason; null when absent. */
  readonly auditHead: AuditHead | null
  readonly byteRange: ByteRange
  readonly certificate: VerifiedCertificate
}

/** Start and length of the bytes before the gap, then of those after it (ISO 32000-2, 12.8.1). */
export type ByteRange = readonly [number, number, number, number]

export interface VerifiedCertificate {
  /** Names on one line, with control characters escaped. */
  readonly subject: string
  readonly issuer: string
  /** Lower-case hex. */
  readonly serial: string
  readonly notBefore: Date
  readonly notAfter: Date
  /** SHA-256 of the DER, lower-case hex. */
  readonly fingerprint: string
}

export interface Verdict {
  readonly valid: boolean
  /** Empty when valid. */
  readonly reasons: readonly VerifyReason[]
  /** One plain sentence. */
  readonly message: string
  /** Whether the certificate is trusted by the caller or chains to one that is; null when the caller named none. */
  readonly trusted: boolean | null
  /** The content of the signature, also when it is not valid; absent when it could not be read. */
  readonly signature?: VerifiedSignature
}

/** Thrown where the check cannot continue; verifyPdf turns it into a verdict. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError'
  readonly reason: VerifyReason

  constructor(reason: VerifyReason, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
