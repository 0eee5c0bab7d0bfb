// The session outside of React, and every call to the panel's API.
import { type ApiCall, callApi, fetchFile } from '../../http/call-api.ts'
import { codeOf, type Outcome } from '../../http/failure.ts'
import {
  type FactorRequired,
  nextSessionState,
  type Session,
  type SessionEvent,
  type SessionState,
  type SignInWay,
} from './session.ts'
import { callInSession, isSessionLost, type SessionKeeper } from './session-calls.ts'

const ROOT = '/settings/api'

/** A call to the panel's API; `path` is relative to its root. */
export type PanelCall = Pick<ApiCall, 'method' | 'path' | 'body'>

export interface SessionStore {
  state: () => SessionState
  subscribe: (listener: () => void) => () => void
  /** Loads the current session, or how to sign in if there is none. */
  check: () => Promise<void>
  signIn: (input: { email: string; password: string; code?: string }) => Promise<Outcome<Session | FactorRequired>>
  /** Proves the second factor, so that the change that asked for it goes on. */
  stepUp: (code: string) => Promise<Outcome<undefined>>
  declineStepUp: () => void
  /** Ends this session, or every session of the person. */
  signOut: (where: 'here' | 'everywhere') => Promise<Outcome<undefined>>
  /** Updates the session's own record, such as the organisation's name. */
  update: (change: (session: Session) => Session) => void
  call: <Value>(call: PanelCall) => Promise<Outcome<Value>>
  file: (path: string, mediaType: string) => Promise<Outcome<Blob>>
}

/** The two ways to the network, so that tests can replace them. */
export interface Network {
  callApi: typeof callApi
  fetchFile: typeof fetchFile
}

export function openSessionStore(network: Network = { callApi, fetchFile }): SessionStore {
  const { state, subscribe, dispatch } = openState()
  const session = () => sessionOf(state())

  const { send, who, findWay } = enquiries(network, session)
  const keeper = keepSession({ state, subscribe, dispatch, who, findWay })

  return {
    state,
    subscribe,
    check: async () => {
      dispatch({ type: 'checking' })
      const found = await who()
      if (found.ok) return dispatch({ type: 'signed-in', session: found.value })
      if (!isSessionLost(found.failure)) return dispatch({ type: 'unreachable', failure: found.failure })
      const way = await findWay()
      dispatch(way.ok ? { type: 'no-session', way: way.value } : { type: 'unreachable', failure: way.failure })
    },
    signIn: async (input) => {
      const outcome = await send<Session | FactorRequired>({ method: 'POST', path: '/session', body: input })
      if (outcome.ok && !('factorRequired' in outcome.value)) dispatch({ type: 'signed-in', session: outcome.value })
      return outcome
    },
    stepUp: async (code) => {
      const outcome = await callInSession(keeper, () =>
        send<undefined>({ method: 'POST', path: '/session/step-up', body: { code } }),
      )
      if (outcome.ok) dispatch({ type: 'proof', proof: 'given' })
      return outcome
    },
    declineStepUp: () => dispatch({ type: 'proof', proof: 'declined' }),
    signOut: async (where) => {
      const outcome = await endSession(send, keeper, where)
      if (!outcome.ok && !isSessionLost(outcome.failure)) return outcome
      const way = await findWay()
      dispatch({ type: 'signed-out', way: way.ok ? way.value : { methods: ['password'] } })
      return { ok: true, value: undefined }
    },
    update: (change) => {
      const current = state()
      if (current.phase === 'signed-in') dispatch({ type: 'signed-in', session: change(current.session) })
    },
    call: <Value>(call: PanelCall) => callInSession(keeper, () => send<Value>(call)),
    file: (path, mediaType) =>
      callInSession(keeper, () =>
        network.fetchFile({ method: 'GET', path: ROOT + path, session: { csrfToken: undefined } }, mediaType),
      ),
  }
}

interface StateHolder {
  state: () => SessionState
  subscribe: (listener: () => void) => () => void
  dispatch: (event: SessionEvent) => void
}

function openState(): StateHolder {
  let state: SessionState = { phase: 'checking' }
  const listeners = new Set<() => void>()
  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    dispatch: (event) => {
      state = nextSessionState(state, event)
      for (const listener of listeners) listener()
    },
  }
}

interface Enquiries {
  send: <Value>(call: PanelCall) => Promise<Outcome<Value>>
  who: () => Promise<Outcome<Session>>
  findWay: () => Promise<Outcome<SignInWay>>
}

function enquiries(network: Network, session: () => Session | undefined): Enquiries {
  const send = <Value>({ method, path, body }: PanelCall) =>
    network.callApi<Value>({ method, path: ROOT + path, ...(body && { body }), session: { csrfToken: session()?.csrfToken } })
  return {
    send,
    who: () => send({ method: 'GET', path: '/session' }),
    findWay: () => send({ method: 'GET', path: '/sign-in' }),
  }
}

/** Signing out never asks for a sign-in. */
async function endSession(
  send: Enquiries['send'],
  keeper: SessionKeeper,
  where: 'here' | 'everywhere',
): Promise<Outcome<undefined>> {
  const leave = () => send<undefined>({ method: 'DELETE', path: where === 'here' ? '/session' : '/session?everywhere=true' })
  const outcome = await leave()
  const isOtherToken = !outcome.ok && codeOf(outcome.failure) === 'CSRF_TOKEN_INVALID'
  return isOtherToken && (await keeper.renewCsrfToken(keeper.session())) ? leave() : outcome
}

function keepSession({
  state,
  subscribe,
  dispatch,
  who,
  findWay,
}: StateHolder & Pick<Enquiries, 'who' | 'findWay'>): SessionKeeper {
  const isSamePerson = (before: Session | undefined) => sessionOf(state())?.admin.id === before?.admin.id

  const awaitSignIn = async (before: Session | undefined) => {
    const current = state()
    // Of several calls that find the session expired, the first requests the renewal.
    if (current.phase === 'signed-in' && current.session === before) {
      const way = await findWay()
      if (!way.ok) return false
      if (sessionOf(state()) === before) dispatch({ type: 'no-session', way: way.value })
    }
    while (state().phase === 'expired') await nextChange(subscribe)
    return state().phase === 'signed-in' && isSamePerson(before)
  }

  const renewCsrfToken = async (before: Session | undefined) => {
    const found = await who()
    if (!found.ok) return isSessionLost(found.failure) && awaitSignIn(before)
    dispatch({ type: 'signed-in', session: found.value })
    return isSamePerson(before)
  }

  const awaitProof = async () => {
    dispatch({ type: 'proof', proof: 'wanted' })
    for (;;) {
      const current = state()
      if (current.phase !== 'signed-in') return false
      if (current.proof !== 'wanted') return current.proof === undefined
      await nextChange(subscribe)
    }
  }
  return { session: () => sessionOf(state()), awaitSignIn, renewCsrfToken, awaitProof }
}

function sessionOf(state: SessionState): Session | undefined {
  return 'session' in state ? state.session : undefined
}

function nextChange(subscribe: StateHolder['subscribe']): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      stop()
      resolve()
    })
  })
}
