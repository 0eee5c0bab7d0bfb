import { describe, expect, test } from 'vitest'
import type { ApiCall } from '../../../../../../api/pages/http/call-api.ts'
import { failureFromAnswer, NETWORK_FAILURE, type Outcome } from '../../../../../../api/pages/http/failure.ts'
import type { Session } from '../../../../../../api/pages/settings/session/session.ts'
import { openSessionStore } from '../../../../../../api/pages/settings/session/session-store.ts'
import { aSession } from './sessions.ts'

const LOST: Outcome<never> = { ok: false, failure: failureFromAnswer(401, undefined, null) }
const WRONG_TOKEN: Outcome<never> = { ok: false, failure: failureFromAnswer(403, { code: 'CSRF_TOKEN_INVALID' }, null) }

const STEP_UP: Outcome<never> = { ok: false, failure: failureFromAnswer(403, { code: 'STEP_UP_REQUIRED' }, null) }

const FACTOR_REQUIRED: Outcome<never> = {
  ok: false,
  failure: failureFromAnswer(403, { code: 'SECOND_FACTOR_REQUIRED' }, null),
}

interface Server {
  session: Session | undefined
  isProofOld?: boolean
}

/** To a call with the session's token. */
function answerOf(server: Server, { method, path }: ApiCall): Outcome<unknown> {
  if (path.endsWith('/step-up')) {
    server.isProofOld = false
    return { ok: true, value: undefined }
  }
  if (server.isProofOld && method !== 'GET') return STEP_UP
  if (server.session?.mustSetUpFactor && !path.endsWith('/session')) return FACTOR_REQUIRED
  return { ok: true, value: path.endsWith('/session') && method === 'GET' ? server.session : path }
}

/** A service with one session at most, whose answers to everything else can be replaced. */
function aService(server: Server) {
  const calls: ApiCall[] = []
  const answer = async (call: ApiCall): Promise<Outcome<unknown>> => {
    calls.push(call)
    const { method, path, session } = call
    if (path.endsWith('/sign-in')) return { ok: true, value: { methods: ['password'] } }
    if (method === 'POST' && path.endsWith('/session')) {
      const wanted = (call.body as { email: string }).email
      server.session = aSession({ csrfToken: `token of ${wanted}`, admin: { ...aSession().admin, id: wanted } })
      return { ok: true, value: server.session }
    }
    if (!server.session) return LOST
    if (method !== 'GET' && session?.csrfToken !== server.session.csrfToken) return WRONG_TOKEN
    return answerOf(server, call)
  }
  const network = { callApi: answer, fetchFile: answer } as never
  return { calls, store: openSessionStore(network) }
}

async function aSignedInStore() {
  const server: Server = { session: aSession() }
  const service = aService(server)
  await service.store.check()
  return { server, ...service }
}

describe('the store of the session', () => {
  test('finds out who is signed in, or how to sign in', async () => {
    const { store } = await aSignedInStore()
    expect(store.state()).toEqual({ phase: 'signed-in', session: aSession() })
    const signedOut = aService({ session: undefined })
    await signedOut.store.check()
    expect(signedOut.store.state()).toEqual({ phase: 'signed-out', way: { methods: ['password'] }, isSignOut: false })
  })

  test('says when it cannot find out', async () => {
    const broken = openSessionStore({ callApi: async () => ({ ok: false, failure: NETWORK_FAILURE }) } as never)
    await broken.check()
    expect(broken.state()).toEqual({ phase: 'unreachable', failure: NETWORK_FAILURE })
  })

  test('sends the token with every change, and never before there is one', async () => {
    const { store, calls } = await aSignedInStore()
    await store.call({ method: 'POST', path: '/people', body: { name: 'x' } })
    expect(calls.map(({ path, session }) => [path, session?.csrfToken])).toEqual([
      ['/settings/api/session', undefined],
      ['/settings/api/people', 'token-1'],
    ])
  })

  test('lets every call that finds the session ended wait for one new sign-in, then makes each once more', async () => {
    const { store, server, calls } = await aSignedInStore()
    server.session = undefined
    const waiting = Promise.all([
      store.call({ method: 'GET', path: '/people' }),
      store.call({ method: 'POST', path: '/people', body: {} }),
    ])
    await expect.poll(() => store.state().phase).toBe('expired')
    await store.signIn({ email: 'p1', password: 'password' })
    expect(await waiting).toEqual([
      { ok: true, value: '/settings/api/people' },
      { ok: true, value: '/settings/api/people' },
    ])
    expect(calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/people'))).toHaveLength(2)
  })

  test('makes no call in the name of another person', async () => {
    const { store, server, calls } = await aSignedInStore()
    server.session = undefined
    const waiting = store.call({ method: 'DELETE', path: '/people/p9' })
    await expect.poll(() => store.state().phase).toBe('expired')
    await store.signIn({ email: 'p2', password: 'password' })
    expect(await waiting).toEqual(LOST)
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })

  test('takes the token of the session that another tab has begun', async () => {
    const { store, server } = await aSignedInStore()
    server.session = aSession({ csrfToken: 'token-2' })
    expect(await store.call({ method: 'PATCH', path: '/organisation', body: {} })).toMatchObject({ ok: true })
    expect(store.state()).toMatchObject({ session: { csrfToken: 'token-2' } })
  })

  test('does not change anything with the session of another person in another tab', async () => {
    const { store, server, calls } = await aSignedInStore()
    server.session = aSession({ csrfToken: 'token-2', admin: { ...aSession().admin, id: 'p2' } })
    expect(await store.call({ method: 'PATCH', path: '/organisation', body: {} })).toEqual(WRONG_TOKEN)
    expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
  })

  test('asks once for a code when changes need a recent proof, then makes each once more', async () => {
    const { store, server } = await aSignedInStore()
    server.isProofOld = true
    const waiting = Promise.all([
      store.call({ method: 'DELETE', path: '/people/p9' }),
      store.call({ method: 'POST', path: '/people', body: {} }),
    ])
    await expect.poll(() => store.state()).toMatchObject({ proof: 'wanted' })
    await store.stepUp('123456')
    expect((await waiting).map(({ ok }) => ok)).toEqual([true, true])
    expect(store.state()).toEqual({ phase: 'signed-in', session: aSession() })
  })

  test('makes no change whose proof the person declined', async () => {
    const { store, server, calls } = await aSignedInStore()
    server.isProofOld = true
    const waiting = store.call({ method: 'DELETE', path: '/people/p9' })
    await expect.poll(() => store.state()).toMatchObject({ proof: 'wanted' })
    store.declineStepUp()
    expect(await waiting).toEqual(STEP_UP)
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })

  test('reads the session again when the organisation has begun to require a second factor', async () => {
    const { store, server } = await aSignedInStore()
    server.session = aSession({ mustSetUpFactor: true })
    expect(await store.call({ method: 'GET', path: '/people' })).toEqual(FACTOR_REQUIRED)
    expect(store.state()).toEqual({ phase: 'signed-in', session: aSession({ mustSetUpFactor: true }) })
  })

  test('counts as signed out when the session had ended already', async () => {
    const { store, server } = await aSignedInStore()
    server.session = undefined
    expect(await store.signOut('here')).toEqual({ ok: true, value: undefined })
    expect(store.state()).toMatchObject({ phase: 'signed-out', isSignOut: true })
  })
})
