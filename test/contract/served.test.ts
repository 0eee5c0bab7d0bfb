import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientWithToken } from '../support/clients/api-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('the description names this installation and its token endpoint', async () => {
  const { status, headers, body } = await clientWithToken(service.url).get('/openapi.json')
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'application/json; charset=utf-8',
    'no-cache',
  ])
  expect(body).toMatchObject({ openapi: '3.1.1', info: { version: '2026-08-09' }, servers: [{ url: service.url }] })
  expect(body.components.securitySchemes.clientCredentials.flows.clientCredentials.tokenUrl).toBe(`${service.url}/oauth2/token`)
})

test("the panel has a separate description, without a session, with this installation's cookie", async () => {
  const { status, body } = await clientWithToken(service.url).get('/settings/api/openapi.json')
  expect([status, body.info.title]).toEqual([200, 'Sealwright settings panel'])
  expect(body.components.securitySchemes.session.name).toBe('sealwright-session')
  expect(Object.keys(body.paths).every((path) => path.startsWith('/settings/api/'))).toBe(true)
})

test('/docs is a page with its address in the examples and nothing that the content security policy would block', async () => {
  const { status, headers, body } = await clientWithToken(service.url).get('/docs')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(body).toContain(`export BASE_URL=${service.url}`)
  expect(body).not.toMatch(/ style="| on[a-z]+="|<style|<script>/)
})

test.each([
  ['DELETE', '/api/v1/envelopes/stats', 'GET, HEAD'],
  ['PUT', '/api/v1/envelopes', 'GET, HEAD, POST'],
  ['POST', '/livez', 'GET, HEAD'],
  ['POST', '/readyz', 'GET, HEAD'],
  ['POST', '/openapi.json', 'GET, HEAD'],
  ['POST', '/docs', 'GET, HEAD'],
  ['DELETE', '/oauth2/token', 'POST'],
  ['POST', '/settings', 'GET, HEAD'],
  ['POST', '/settings/people', 'GET, HEAD'],
  ['POST', '/verify', 'GET, HEAD'],
  ['DELETE', '/sign/x', 'GET, HEAD'],
  ['POST', '/dev/mails', 'GET, HEAD'],
  ['POST', '/downloads/x', 'GET, HEAD'],
])('%s %s is 405 and names what the path takes', async (method, path, allowed) => {
  const { status, headers, body } = await service.client.send(method, path)
  expect([status, headers.get('allow'), body.code]).toEqual([405, allowed, 'METHOD_NOT_ALLOWED'])
})
