import { describe, expect, test } from 'vitest'
import { NETWORK_FAILURE } from '../../../../../../api/pages/http/failure.ts'
import {
  nextSessionState,
  type SessionState,
  type SignInWay,
  workKey,
} from '../../../../../../api/pages/settings/session/session.ts'
import { aSession } from './sessions.ts'

const way: SignInWay = { methods: ['password'] }
const session = aSession()
const checking: SessionState = { phase: 'checking' }
const signedIn: SessionState = { phase: 'signed-in', session }
const expired: SessionState = { phase: 'expired', way, session }

describe('the session', () => {
  test.each<[string, SessionState, Parameters<typeof nextSessionState>[1], SessionState]>([
    ['is found', checking, { type: 'signed-in', session }, signedIn],
    ['is not there', checking, { type: 'no-session', way }, { phase: 'signed-out', way, isSignOut: false }],
    ['ends under its work', signedIn, { type: 'no-session', way }, expired],
    ['is restarted above its work', expired, { type: 'signed-in', session }, signedIn],
    ['is ended by hand', signedIn, { type: 'signed-out', way }, { phase: 'signed-out', way, isSignOut: true }],
    [
      'cannot be asked for',
      checking,
      { type: 'unreachable', failure: NETWORK_FAILURE },
      { phase: 'unreachable', failure: NETWORK_FAILURE },
    ],
    ['stays when a late answer fails', signedIn, { type: 'unreachable', failure: NETWORK_FAILURE }, signedIn],
    ['stays expired however many calls notice', expired, { type: 'no-session', way }, expired],
    ['is asked for again', { phase: 'unreachable', failure: NETWORK_FAILURE }, { type: 'checking' }, checking],
  ])('%s', (_name, before, event, after) => {
    expect(nextSessionState(before, event)).toEqual(after)
  })

  test('keeps its work for the same person in the same role and organisation only', () => {
    const renewed = aSession({ csrfToken: 'another' })
    expect(workKey(renewed)).toBe(workKey(session))
    const others = [
      aSession({ admin: { ...session.admin, id: 'p2' } }),
      aSession({ admin: { ...session.admin, role: 'MEMBER' } }),
      aSession({ organisation: { id: 'o2', name: 'Other' } }),
    ]
    expect(others.filter((other) => workKey(other) === workKey(session))).toEqual([])
  })
})
