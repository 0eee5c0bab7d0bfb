// The content of an envelope's audit report as plain values, which can be sent to the thread that draws it.
import type { EnvelopeStatus } from '#core/envelope/rules.ts'
import type { Locale } from '#core/account/organisation/rules.ts'
import type { SignerStatus } from '#core/envelope/signer/rules.ts'

export interface AuditReport {
  locale: Locale
  organisation: string
  envelope: {
    id: string
    title: string
    status: EnvelopeStatus
    workspace: string
    createdAt: Date
    createdBy: string
    expiresAt: Date | null
    /** When it was completed, cancelled or expired; null while it is open. ISO 8601. */
    endedAt: string | null
  }
  signers: readonly { order: number; name: string; email: string; status: SignerStatus; signedAt: Date | null }[]
  documents: readonly {
    name: string
    sizeBytes: number
    /** Hex. */
    sha256: string
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
