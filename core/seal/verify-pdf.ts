// The strict check of a sealed PDF: our seal is the last thing written into the file and covers every byte of it. A CMS that verifies
// is not enough, because what stands outside of its byte range is what a forger adds.

/** Why a file is not valid. Machine codes: tests and callers may rely on them, people read `message`. */
export type VerifyReason =
  | 'NOT_A_PDF'
  | 'NO_SIGNATURE'
  | 'COVERAGE_INCOMPLETE'
  | 'HOLE_MISMATCH'
  | 'PADDING_NOT_ZERO'
  | 'SIGNATURE_KIND_UNSUPPORTED'
  | 'CMS_MALFORMED'
  | 'ALGORITHM_UNSUPPORTED'
  | 'CERTIFICATE_MISMATCH'
  | 'DIGEST_MISMATCH'
  | 'SIGNATURE_INVALID'
  | 'CERTIFICATE_NOT_IN_DATE'
  | 'CERTIFICATE_UNFIT'
  | 'UNTRUSTED'
  | 'KEY_COMPROMISED'

export interface VerifiedSignature {
  /** What the file says (/M); covered by the signature, but the word of the one who signed. */
  signedAt: Date
  /** /Name of the signature dictionary. */
  signerName: string | null
  byteRange: readonly [number, number, number, number]
  certificate: VerifiedCertificate
}

export interface VerifiedCertificate {
  subject: string
  issuer: string
  /** Hex. */
  serial: string
  notBefore: Date
  notAfter: Date
  /** SHA-256 over the DER, lower-case hex. */
  fingerprint: string
}

export interface Verdict {
  valid: boolean
  /** Empty when valid. */
  reasons: readonly VerifyReason[]
  /** One plain sentence. */
  message: string
  /** Whether the certificate leads to what the caller trusts; null when the caller gave nothing to trust. */
  trusted: boolean | null
  /** What the signature says; absent when there is none that could be read. */
  signature?: VerifiedSignature
}
