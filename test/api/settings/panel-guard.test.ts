import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PANEL_ROUTES } from '../../../api/routes/index.ts'
import { type PanelClient, panelClient, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let admin: PanelClient
let other: PanelClient
let member: PanelClient

beforeAll(async () => {
  service = await testService()
  admin = await signedIn(service)
  other = await signedIn(service)
  member = await signedIn(service, { role: 'MEMBER' })
})
afterAll(() => service[Symbol.asyncDispose]())

const behind = PANEL_ROUTES.filter(({ audience }) => audience === 'panel')
const named = (routes: typeof behind) => routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const)
const changes = named(behind.filter(({ method }) => method !== 'get'))
const entries = named(PANEL_ROUTES.filter(({ audience, method }) => audience === 'panel entry' && method !== 'get'))
type Route = (typeof behind)[number]

/** Calls a route; ids in its path do not exist. */
function ask(client: PanelClient, { method, path }: Route, headers: Record<string, string> = {}) {
  const place = path.replaceAll(/:\w+/g, () => randomUUID())
  return client.send(method.toUpperCase(), place, method === 'get' ? undefined : {}, headers)
}

const REFUSED = [403, 'CSRF_TOKEN_INVALID']

test('some routes require a session, some of them an admin', () => {
  expect(changes.length).toBeGreaterThan(10)
  expect(behind.some((route) => route.audience === 'panel' && route.access === 'member')).toBe(true)
  expect(PANEL_ROUTES.every(({ path }) => path.startsWith('/settings/api/'))).toBe(true)
})

describe('without a session', () => {
  test.each(named(behind))('%s answers 401 and nothing else', async (_name, route) => {
    const { status, headers, body } = await ask(panelClient(service.url), route)
    expect([status, headers.get('www-authenticate'), body]).toEqual([401, null, ''])
  })
})

describe.each(changes)('%s', (_name, route) => {
  test.each<[string, () => Record<string, string>]>([
    ['no CSRF token', () => ({ 'X-CSRF-Token': '' })],
    ['a wrong one', () => ({ 'X-CSRF-Token': 'A'.repeat(43) })],
    ["another session's", () => ({ 'X-CSRF-Token': other.csrfToken })],
    ['the right one from another site', () => ({ 'Sec-Fetch-Site': 'cross-site' })],
    ['the right one from a sibling domain', () => ({ 'Sec-Fetch-Site': 'same-site' })],
    ['the right one from another origin', () => ({ Origin: 'https://evil.example' })],
    ['the right one from nowhere', () => ({ Origin: 'null' })],
  ])('is refused with %s', async (_what, headers) => {
    const { status, body } = await ask(admin, route, headers())
    expect([status, body.code]).toEqual(REFUSED)
  })
})

describe('a change by the panel itself', () => {
  test.each<[string, Record<string, string>]>([
    ['says where it comes from', { 'Sec-Fetch-Site': 'same-origin' }],
    ['is seen through the public address', {}],
  ])('passes when it %s', async (_what, headers) => {
    const origin = headers['Sec-Fetch-Site'] ? {} : { Origin: service.url }
    const { status } = await admin.send('DELETE', `/settings/api/people/${randomUUID()}`, undefined, { ...headers, ...origin })
    expect(status).toBe(404)
  })
})

describe.each(entries)('%s, which needs no session,', (_name, route) => {
  test('is rejected from another site', async () => {
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }] as Record<string, string>[]) {
      const { status, body } = await ask(panelClient(service.url), route, headers)
      expect([status, body.code]).toEqual(REFUSED)
    }
  })

  test("requires JSON, which no other site's form can send", async () => {
    const { status } = await ask(panelClient(service.url), route, { 'Content-Type': 'text/plain' })
    expect(status).toBe(415)
  })
})

describe('a member', () => {
  const adminOnly = behind.filter((route) => route.audience === 'panel' && route.access === 'admin')
  test.each(named(adminOnly))('gets 403 and nothing else from %s', async (_name, route) => {
    const { status, body } = await ask(member, route)
    expect([status, body]).toEqual([403, ''])
  })
})

test('an unknown path and another method answer as in the API', async () => {
  const unknown = await admin.get('/nothing-here')
  expect([unknown.status, unknown.body.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  const method = await admin.put('/session', {})
  expect([method.status, method.headers.get('allow'), method.body.code]).toEqual([
    405,
    'POST, GET, HEAD, DELETE',
    'METHOD_NOT_ALLOWED',
  ])
})
