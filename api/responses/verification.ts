// The verdict of the public check, as its answer holds it.
import type { SignatureVerdict } from '#core/seal/verify-signature.ts'
import type { VerificationResponse } from '../schemas/verification.ts'

export function toVerificationResponse({ signedAt, ...verdict }: SignatureVerdict): VerificationResponse {
  return { ...verdict, ...(signedAt && { signedAt: signedAt.toISOString() }) }
}
