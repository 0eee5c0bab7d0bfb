// Sessions as the panel's interface answers them.
import type { Session } from '../../../../../../api/pages/settings/session/session.ts'

export function aSession(overrides: Partial<Session> = {}): Session {
  return {
    csrfToken: 'token-1',
    admin: { id: 'p1', email: 'alex@example.test', name: 'Alex', role: 'ADMIN' },
    organisation: { id: 'o1', name: 'Northwind' },
    ...overrides,
  }
}
