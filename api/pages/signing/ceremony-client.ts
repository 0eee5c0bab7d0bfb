// The seven API calls of the signing ceremony, one function each. The token is only used in the path of these calls.
import type {
  OtpChallengeResponse,
  OtpVerificationResponse,
  SignedCopyResponse,
  SigningViewResponse,
  SignResponse,
} from '../../schemas/ceremony.ts'
import { callApi } from '../http/call-api.ts'
import type { Outcome } from '../http/failure.ts'
import { language } from '../locales/texts.ts'

export type SigningView = SigningViewResponse
export type CeremonyDocument = SigningView['documents'][number]
export type OtpChallenge = OtpChallengeResponse
export type SignedCopy = SignedCopyResponse
export type SignedDocument = SignedCopy['documents'][number]

/** Opens the link without side effects. 404 if the link is unknown or expired, or it is not the signer's turn. */
export function openLink(token: string): Promise<Outcome<SigningView>> {
  return callApi({ method: 'GET', path: linkPath(token), language })
}

/** Requests a code by email. During the cool-down it returns the current challenge and sends nothing. */
export function requestOtp(token: string): Promise<Outcome<OtpChallenge>> {
  return callApi({ method: 'POST', path: `${linkPath(token)}/request-otp` })
}

/** Hands in a code. A wrong or dead code is an answer (`verified` false), not a failure. */
export function verifyOtp(token: string, challengeId: string, code: string): Promise<Outcome<OtpVerificationResponse>> {
  return callApi({ method: 'POST', path: `${linkPath(token)}/verify-otp`, body: { challengeId, code } })
}

/** Records that the signer opened the documents. */
export function recordViewOpened(token: string): Promise<Outcome<undefined>> {
  return callApi({ method: 'POST', path: `${linkPath(token)}/view-opened` })
}

/** Records that the signer stopped reading after `durationMs`; the request outlives the page. */
export function recordViewClosed(token: string, durationMs: number): Promise<Outcome<undefined>> {
  return callApi({ method: 'POST', path: `${linkPath(token)}/view-closed`, body: { durationMs }, keepalive: true })
}

/** Signs with a base64 PNG. */
export function sign(token: string, signatureImage: string): Promise<Outcome<SignResponse>> {
  return callApi({ method: 'POST', path: `${linkPath(token)}/sign`, body: { signatureImage, language } })
}

/** The sealed copies; 404 until every signer has signed. */
export function getSignedCopy(token: string): Promise<Outcome<SignedCopy>> {
  return callApi({ method: 'GET', path: `${linkPath(token)}/signed-documents` })
}

function linkPath(token: string): string {
  return `/api/v1/sign/${encodeURIComponent(token)}`
}
