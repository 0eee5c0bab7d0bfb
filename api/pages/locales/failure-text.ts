// The message for a failed API call. signing/ceremony.ts handles the codes that end a step.
import type { Failure } from '../http/failure.ts'
import type { Texts } from './en.ts'

const TEXT_BY_CODE: Record<string, keyof Texts['failure']> = {
  OTP_SEND_LIMIT: 'codeSendLimit',
  OTP_PAUSED: 'codePaused',
  OTP_CHALLENGE_NOT_FOUND: 'challengeGone',
  RATE_LIMITED: 'tooManyRequests',
  SERVICE_UNAVAILABLE: 'busy',
  SIGNATURE_IMAGE_INVALID: 'imageRefused',
  VIEW_REQUIRED: 'viewRequired',
}

/** Says what happened and what to do; unknown codes get a message by their HTTP status. */
export function failureText(failure: Failure, texts: Texts): string {
  if (failure.kind === 'network') return texts.failure.network
  const ownText = Object.hasOwn(TEXT_BY_CODE, failure.code) ? TEXT_BY_CODE[failure.code] : undefined
  return texts.failure[ownText ?? textByStatus(failure.status)]
}

function textByStatus(status: number): keyof Texts['failure'] {
  if (status === 429) return 'tooManyRequests'
  return status === 502 || status === 503 || status === 504 ? 'busy' : 'unexpected'
}
