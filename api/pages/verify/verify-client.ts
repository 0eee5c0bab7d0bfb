// The public verification request.
import { callApi } from '../http/call-api.ts'
import type { Outcome } from '../http/failure.ts'

export interface VerificationResult {
  valid: boolean
  message: string
  envelopeId?: string
  signedAt?: string
  signerEmail?: string
  signerName?: string
}

/** Verifies the signature with this ID against a verification code or a file's SHA-256; an unknown pair is a response, not a failure. */
export function verifySignature(id: string, h: string): Promise<Outcome<VerificationResult>> {
  return callApi({ method: 'GET', path: `/api/v1/verify?${new URLSearchParams({ id, h })}` })
}
