// A call that meets an expired session waits until the person has signed in again and is then repeated, so that no input is lost; so does one that
// needs a code of the second factor. A call that meets another tab's session uses that session's CSRF token.
import { codeOf, type Failure, type Outcome } from '../../http/failure.ts'
import type { Session } from './session.ts'

/** What a call needs from the session. */
export interface SessionKeeper {
  session: () => Session | undefined
  /** Resolves after the next sign-in; true if it is the same person as before. */
  awaitSignIn: (before: Session | undefined) => Promise<boolean>
  /** Fetches the CSRF token of the cookie's current session; true if it is the same person's. */
  renewCsrfToken: (before: Session | undefined) => Promise<boolean>
  /** Resolves after the person was asked for a code; true if it was right. */
  awaitProof: () => Promise<boolean>
}

/** Makes the call, and repeats it once if that may help. */
export async function callInSession<Value>(
  keeper: SessionKeeper,
  attempt: () => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const before = keeper.session()
  const outcome = await attempt()
  if (outcome.ok) return outcome
  if (isSessionLost(outcome.failure)) return (await keeper.awaitSignIn(before)) ? attempt() : outcome
  if (codeOf(outcome.failure) === 'STEP_UP_REQUIRED') return (await keeper.awaitProof()) ? attempt() : outcome
  // The organisation has begun to require it: the session's record says so, and the page follows.
  if (codeOf(outcome.failure) === 'SECOND_FACTOR_REQUIRED') await keeper.renewCsrfToken(before)
  if (codeOf(outcome.failure) === 'CSRF_TOKEN_INVALID') return (await keeper.renewCsrfToken(before)) ? attempt() : outcome
  return outcome
}

/** 401: there is no session (any more). */
export function isSessionLost(failure: Failure): boolean {
  return failure.kind === 'answer' && failure.status === 401
}
