// Checks a sealed copy that was kept elsewhere against the current audit trail: the database cannot change what was sealed.
import type { Core } from '#core/context.ts'
import { listPinnedCertificates } from '#core/signing-key/certificate-store.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { hasRow } from '#core/audit/scan-store.ts'

export interface CopyVerdict {
  matches: boolean
  message: string
}

/**
 * Checks that the copy is from this installation and unchanged, and that the trail still has the row that it names. Needs a database of the
 * system role.
 */
export async function verifyCopy({ database }: Pick<Core, 'database'>, bytes: Buffer): Promise<CopyVerdict> {
  const { valid, message, signature } = verifyPdf(bytes, { now: await databaseNow(database) })
  if (!valid || !signature) return { matches: false, message }
  const { auditHead, certificate } = signature
  if (!auditHead) return { matches: false, message: 'The seal does not refer to an audit trail.' }
  const matches = await hasRow(database, auditHead)
  const pins = await listPinnedCertificates(database, [certificate.fingerprint])
  if (pins.length === 0) return { matches: false, message: 'The certificate of the seal is not in the database.' }
  const place = `entry ${auditHead.seq} of envelope ${auditHead.envelopeId}`
  return {
    matches,
    message: matches
      ? `The audit trail contains ${place}, unchanged since sealing.`
      : `The audit trail does not contain ${place} as it was when sealing.`,
  }
}
