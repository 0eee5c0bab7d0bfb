// Holds a sealed copy that somebody kept against the trail that the database has now: what was sealed cannot be changed any more, by whomever.
import type { Core } from '#core/context.ts'
import { listPinnedCertificates } from '#core/signing-key/signing-key-store.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { hasRow } from '#core/audit/scan-store.ts'

export interface CopyVerdict {
  fits: boolean
  message: string
}

/** Whether the copy is one of this installation, unchanged, and the trail still has the row that it names. Needs a database of the system role. */
export async function verifyCopy({ database }: Pick<Core, 'database'>, bytes: Buffer): Promise<CopyVerdict> {
  const { valid, message, signature } = verifyPdf(bytes, {})
  if (!valid || !signature) return { fits: false, message }
  const { auditHead, certificate } = signature
  if (!auditHead) return { fits: false, message: 'The seal does not refer to an audit trail.' }
  const fits = await hasRow(database, auditHead)
  const pins = await listPinnedCertificates(database, [certificate.fingerprint])
  if (pins.length === 0) return { fits: false, message: 'The certificate of the seal is not in the database.' }
  const place = `entry ${auditHead.seq} of envelope ${auditHead.envelopeId}`
  return {
    fits,
    message: fits
      ? `The audit trail contains ${place}, unchanged since sealing.`
      : `The audit trail does not contain ${place} as it was when sealing.`,
  }
}
