// The seven calls of the signing ceremony, one function each, with the shapes of the API description. The token is only ever put
// into the path of these calls.
import { callApi } from '../http/call-api.ts'
import type { Outcome } from '../http/failure.ts'

export interface CeremonyDocument {
  id: string
  filename: string
  downloadUrl: string
}

export interface SigningView {
  alreadySigned: boolean
  envelopeId: string
  envelopeTitle: string
  requiresOtp: boolean
  signerEmail: string
  signerName: string
  /** Empty while a code is still owed. */
  documents: CeremonyDocument[]
}

export interface OtpChallenge {
  challengeId: string | null
  codeUnusable: boolean
  expiresInSeconds: number
  resendAvailableInSeconds: number
  /** True exactly when this call mailed a code. */
  resent: boolean
  message: string
}

export interface OtpVerification {
  verified: boolean
  message: string
}

export interface SignResult {
  completed: boolean
  envelopeId: string
  message: string
  signedDocumentUrls: Record<string, string>
}

export interface SignedDocument {
  id: string
  filename: string
  signedDownloadUrl: string
}

export interface SignedCopy {
  archived: boolean
  envelopeId: string
  envelopeTitle: string
  signedDocumentsReady: boolean
  signerName: string
  documents: SignedDocument[]
}

/** Opens the link; has no effect on the server. 404 for a link that is unknown, over, or whose turn has not come. */
export function openLink(token: string): Promise<Outcome<SigningView>> {
  return callApi({ method: 'GET', path: linkPath(token) })
}

/** Asks for a code by mail. Inside the cool-down the earlier challenge comes back and nothing is mailed. */
export function requestOtp(token: string): Promise<Outcome<OtpChallenge>> {
  return callApi({ method: 'POST', path: `${linkPath(token)}/request-otp` })
}

/** Hands in a code. A wrong or dead code is an answer (`verified` false), not a failure. */
export function verifyOtp(token: string, challengeId: string, code: string): Promise<Outcome<OtpVerification>> {
  return callApi({ method: 'POST', path: `${linkPath(token)}/verify-otp`, body: { challengeId, code } })
}

/** Records that a document is in front of the signer. */
export function recordViewOpened(token: string): Promise<Outcome<undefined>> {
  return callApi({ method: 'POST', path: `${linkPath(token)}/view-opened` })
}

/** Records that the signer stopped reading after `durationMs`; survives the page being closed. */
export function recordViewClosed(token: string, durationMs: number): Promise<Outcome<undefined>> {
  return callApi({ method: 'POST', path: `${linkPath(token)}/view-closed`, body: { durationMs }, keepalive: true })
}

/** Signs with a base64 PNG. */
export function sign(token: string, signatureImage: string): Promise<Outcome<SignResult>> {
  return callApi({ method: 'POST', path: `${linkPath(token)}/sign`, body: { signatureImage } })
}

/** The sealed copies; 404 until every signer has signed. */
export function getSignedCopy(token: string): Promise<Outcome<SignedCopy>> {
  return callApi({ method: 'GET', path: `${linkPath(token)}/signed-documents` })
}

function linkPath(token: string): string {
  return `/api/v1/sign/${encodeURIComponent(token)}`
}
