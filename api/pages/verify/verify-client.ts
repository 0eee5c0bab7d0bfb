// The public verification request.
import type { VerificationResponse } from '../../schemas/verification.ts'
import { callApi } from '../http/call-api.ts'
import type { Outcome } from '../http/failure.ts'

/** Judges the signature with this id against a verification code or a file's SHA-256; an unknown pair is an answer, not a failure. */
export function verifySignature(id: string, h: string): Promise<Outcome<VerificationResponse>> {
  return callApi({ method: 'GET', path: `/api/v1/verify?${new URLSearchParams({ id, h })}` })
}
