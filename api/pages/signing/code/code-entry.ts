// The one-time code as the page sees it: which challenge is open, when it ends, when another may be sent. Pure.
import { deadlineAfter } from '../../components/countdown.ts'
import type { OtpChallenge } from '../ceremony-client.ts'
import type { RememberedChallenge } from '../remembered-progress.ts'

export const CODE_LENGTH = 6

export interface CodeEntry {
  /** The challenge a code can be handed in for. */
  challenge: RememberedChallenge | undefined
  /** From when on another code may be asked for; undefined before the first. */
  resendAtMs: number | undefined
  /** What came of the last request for a code. */
  delivery: 'sent' | 'sent-earlier' | 'unusable' | undefined
}

/** Where a tab that was reloaded stands, from what it remembered; an expired challenge is worth nothing. */
export function recallCodeEntry(remembered: RememberedChallenge | undefined, nowMs: number): CodeEntry {
  const alive = remembered !== undefined && remembered.expiresAtMs > nowMs
  return {
    challenge: alive ? remembered : undefined,
    resendAtMs: remembered?.resendAtMs,
    delivery: alive ? 'sent' : undefined,
  }
}

/** Where the page stands after the service answered a request for a code. */
export function codeEntryAfter(answer: OtpChallenge, nowMs: number): CodeEntry {
  const resendAtMs = deadlineAfter(answer.resendAvailableInSeconds, nowMs)
  if (answer.challengeId === null || answer.codeUnusable) return { challenge: undefined, resendAtMs, delivery: 'unusable' }
  return {
    challenge: { challengeId: answer.challengeId, expiresAtMs: deadlineAfter(answer.expiresInSeconds, nowMs), resendAtMs },
    resendAtMs,
    delivery: answer.resent ? 'sent' : 'sent-earlier',
  }
}

/** The digits of what was typed or pasted ("123 456", "Code: 123456"), at most six. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(0, CODE_LENGTH)
}
