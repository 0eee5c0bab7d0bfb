// The state of the one-time code: the open challenge, when it expires, when another code may be sent. Pure.
import { deadlineAfter } from '../../components/countdown.ts'
import type { OtpChallenge } from '../ceremony-client.ts'
import type { RememberedChallenge } from '../remembered-progress.ts'

export const CODE_LENGTH = 6

export interface CodeEntry {
  /** The challenge that a code can be submitted for. */
  challenge: RememberedChallenge | undefined
  /** When another code may be requested; undefined before the first. */
  resendAtMs: number | undefined
  /** The result of the last code request. */
  delivery: 'sent' | 'sent-earlier' | 'unusable' | undefined
}

/** The state after a reload, from what the tab stored; an expired challenge is ignored. */
export function recallCodeEntry(remembered: RememberedChallenge | undefined, nowMs: number): CodeEntry {
  const alive = remembered !== undefined && remembered.expiresAtMs > nowMs
  return {
    challenge: alive ? remembered : undefined,
    resendAtMs: remembered?.resendAtMs,
    delivery: alive ? 'sent' : undefined,
  }
}

/** The state after the service responded to a code request. */
export function codeEntryAfter(answer: OtpChallenge, nowMs: number): CodeEntry {
  const resendAtMs = deadlineAfter(answer.resendAvailableInSeconds, nowMs)
  if (answer.challengeId === null || answer.codeUnusable) return { challenge: undefined, resendAtMs, delivery: 'unusable' }
  return {
    challenge: { challengeId: answer.challengeId, expiresAtMs: deadlineAfter(answer.expiresInSeconds, nowMs), resendAtMs },
    resendAtMs,
    delivery: answer.resent ? 'sent' : 'sent-earlier',
  }
}

/** The state after a code was refused: without tries left there is nothing to enter it for. */
export function codeEntryAfterRefusal(entry: CodeEntry, triesLeft: number | undefined): CodeEntry {
  return triesLeft === 0 ? { ...entry, challenge: undefined, delivery: 'unusable' } : entry
}

/** The digits of what was typed or pasted ("123 456", "Code: 123456"), at most six. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(0, CODE_LENGTH)
}
