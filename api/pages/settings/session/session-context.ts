// Provides the session to the components.
import { createContext, use, useSyncExternalStore } from 'react'
import type { Session, SessionState } from './session.ts'
import type { SessionStore } from './session-store.ts'

const SessionStoreContext = createContext<SessionStore | undefined>(undefined)

export const SessionStoreProvider = SessionStoreContext.Provider

/** The store; throws outside of a provider. */
export function useSessionStore(): SessionStore {
  const store = use(SessionStoreContext)
  if (!store) throw new Error('there is no session store above this component')
  return store
}

export function useSessionState(): SessionState {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, store.state)
}

/** The signed-in person; only for components that are shown during a session. */
export function useSession(): Session {
  const state = useSessionState()
  if (!('session' in state)) throw new Error('no person is signed in')
  return state.session
}

export function useIsAdmin(): boolean {
  return useSession().admin.role === 'ADMIN'
}
