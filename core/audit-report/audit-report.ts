// The content of an envelope's audit report as plain values, which can be sent to the thread that draws it.
import type { EnvelopeStatus } from '#core/envelope/rules.ts'
import type { Locale } from '#core/platform/text/locale.ts'
import type { SignerStatus } from '#core/envelope/signer/rules.ts'
import type { RecordedSignature, SignerEvidence } from './signer-evidence.ts'

/** FINAL: sealed once, after the envelope has ended. DRAFT: made on request before that. COPY: made on request after the sealed report was deleted. */
export type ReportStage = 'FINAL' | 'DRAFT' | 'COPY'

export interface ReportedSignature extends RecordedSignature {
  /** `text`: the sentence; undefined for a version that this release does not know. */
  consent: { version: number; language: string; text: string | undefined } | null
  /** The encoded form of the drawn seal; null once it was deleted with the documents. */
  picture: Uint8Array | null
}

export interface ReportedSigner extends Omit<SignerEvidence, 'signature'> {
  order: number
  name: string
  email: string
  status: SignerStatus
  signedAt: Date | null
  signature: ReportedSignature | null
}

export interface AuditReport {
  locale: Locale
  stage: ReportStage
  organisation: string
  envelope: {
    id: string
    title: string
    status: EnvelopeStatus
    workspace: string
    createdAt: Date
    createdBy: string
    otpRequired: boolean
    sequentialSigning: boolean
    expiresAt: Date | null
    /** When it was completed, cancelled or expired; null while it is open. ISO 8601. */
    endedAt: string | null
  }
  signers: readonly ReportedSigner[]
  documents: readonly {
    name: string
    sizeBytes: number
    /** Hex. */
    sha256: string
    /** Hex; of the file as it was uploaded, when it was normalised. */
    uploadSha256: string | null
    /** Hex; null until the copy is sealed. */
    sealedSha256: string | null
  }[]
  /** `at` is ISO 8601 with microseconds in UTC; `from` an address, `by` a browser or program. */
  events: readonly { seq: number; at: string; who: string; as: string; what: string; from: string | null; by: string | null }[]
  chain: { valid: boolean; rows: number; headHash: string; firstBadSeq?: number }
  /** Address of the public check. */
  verifyUrl: string
  madeAt: Date
}
