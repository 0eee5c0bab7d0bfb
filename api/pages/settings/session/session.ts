// The session as a pure state machine. An expired session keeps the work on screen: the same person continues with it, another person
// starts from the overview.
import type { FactorRequiredResponse, SessionResponse, SignInMethodsResponse } from '../../../schemas/session.ts'
import type { Failure } from '../../http/failure.ts'

export type Session = SessionResponse
/** The password was right, and a code is missing. */
export type FactorRequired = FactorRequiredResponse
/** How this installation lets people in. */
export type SignInWay = SignInMethodsResponse

export type SessionState =
  | { phase: 'checking' }
  | { phase: 'unreachable'; failure: Failure }
  | { phase: 'signed-out'; way: SignInWay; isSignOut: boolean }
  /** `proof` of the second factor: asked for by a change, or refused by the person. */
  | { phase: 'signed-in'; session: Session; proof?: 'wanted' | 'declined' }
  /** The expired session while its person is asked to sign in again. */
  | { phase: 'expired'; way: SignInWay; session: Session }

export type SessionEvent =
  | { type: 'checking' }
  | { type: 'unreachable'; failure: Failure }
  | { type: 'no-session'; way: SignInWay }
  | { type: 'signed-in'; session: Session }
  | { type: 'signed-out'; way: SignInWay }
  | { type: 'proof'; proof: 'wanted' | 'given' | 'declined' }

/** The state after an event; a late response changes nothing. */
export function nextSessionState(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'checking':
      return { phase: 'checking' }
    case 'unreachable':
      return state.phase === 'checking' ? { phase: 'unreachable', failure: event.failure } : state
    case 'no-session':
      if (state.phase === 'signed-in') return { phase: 'expired', way: event.way, session: state.session }
      return state.phase === 'checking' ? { phase: 'signed-out', way: event.way, isSignOut: false } : state
    case 'signed-in':
      return { phase: 'signed-in', session: event.session }
    case 'proof':
      return withProof(state, event.proof)
    case 'signed-out':
    default:
      return { phase: 'signed-out', way: event.way, isSignOut: true }
  }
}

function withProof(state: SessionState, proof: 'wanted' | 'given' | 'declined'): SessionState {
  if (state.phase !== 'signed-in') return state
  const { phase, session } = state
  return proof === 'given' ? { phase, session } : { phase, session, proof }
}

/** The owner of the work on screen: a change discards the work. */
export function workKey({ admin, organisation }: Session): string {
  return `${organisation.id} ${admin.id} ${admin.role}`
}
