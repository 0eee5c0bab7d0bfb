// A call that meets an ended session waits until its person has signed in again and is then made once more, so nothing that was typed is
// lost; one that meets another tab's session takes that one's token.
import { codeOf, type Failure, type Outcome } from '../../http/failure.ts'
import type { Session } from './session.ts'

/** What a call needs to know of the session, and may ask for. */
export interface SessionKeeper {
  session: () => Session | undefined
  /** Resolves once somebody has signed in again; true when it is the person of the session before. */
  awaitSignIn: (before: Session | undefined) => Promise<boolean>
  /** Fetches the token of the session that the cookie stands for now; true when it is the same person's. */
  renewCsrfToken: (before: Session | undefined) => Promise<boolean>
}

/** Makes the call, and once more when that may help. */
export async function callInSession<Value>(
  keeper: SessionKeeper,
  attempt: () => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const before = keeper.session()
  const outcome = await attempt()
  if (outcome.ok) return outcome
  if (isSessionLost(outcome.failure)) return (await keeper.awaitSignIn(before)) ? attempt() : outcome
  if (codeOf(outcome.failure) === 'CSRF_TOKEN_INVALID') return (await keeper.renewCsrfToken(before)) ? attempt() : outcome
  return outcome
}

/** 401: nobody is signed in (any more). */
export function isSessionLost(failure: Failure): boolean {
  return failure.kind === 'answer' && failure.status === 401
}
