import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, aDraft } from '../support/builders/envelopes.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('requests that match no operation', () => {
  // requirements: decisions/smaller/wrong method
  test.each([
    ['an unknown path', 'GET', '/api/v1/nothing', 404, 'ROUTE_NOT_FOUND'],
    ['an id that is no uuid', 'GET', '/api/v1/envelopes/abc', 400, 'VALIDATION_FAILED'],
    ['a wrong method', 'PUT', '/api/v1/envelopes', 405, 'METHOD_NOT_ALLOWED'],
    ['a broken escape in the path', 'GET', '/api/v1/envelopes/%E0%A4%A', 400, 'VALIDATION_FAILED'],
  ])('answer an error body for %s', async (_name, method, path, status, code) => {
    const answer = await service.client.send(method, path)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  // requirements: decisions/smaller/JSON body
  test.each([
    ['JSON that is none', '{"title":', 'application/json', 400, 'MALFORMED_JSON'],
    ['a form where JSON is due', 'title=x', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['300 KB of JSON', JSON.stringify({ title: 'x'.repeat(300_000) }), 'application/json', 413, 'PAYLOAD_TOO_LARGE'],
    ['JSON 100 levels deep', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, 'application/json', 400, 'VALIDATION_FAILED'],
  ])('refuse %s', async (_name, body, type, status, code) => {
    const answer = await service.client.send('POST', '/api/v1/envelopes', { body, headers: { 'Content-Type': type } })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test.each([
    'text/csv',
    'application/xml, text/*',
    'application/json;q=0',
    '*/*;q=0',
    'application/problem+json',
    'nonsense, text/html',
  ])('are refused before they take effect where JSON would not be understood: Accept: %s', async (Accept) => {
    const headers = { Accept, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ title: 'Never made', signers: [ADA] })
    const answer = await service.client.send('POST', '/api/v1/envelopes', { body, headers })
    expect([answer.status, answer.body.code]).toEqual([406, 'NOT_ACCEPTABLE'])
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const open = await service.client.send('GET', `/api/v1/sign/${'a'.repeat(43)}`, { headers: { Accept } })
    expect(open.status).toBe(406)
    expect((await service.client.get('/api/v1/envelopes?title=Never made')).body.totalElements).toBe(0)
  })

  test.each([
    '*/*',
    'application/*',
    'text/html, */*;q=0.1',
    'application/json; charset=utf-8',
    'Application/JSON;version=1;q=0.5',
    'application/json;profile="a;q=0, b"',
    '',
  ])('are none with Accept: %s', async (Accept) => {
    const answer = await service.client.send('GET', '/api/v1/envelopes', { headers: { Accept } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(answer.headers.get('vary') ?? '').not.toMatch(/accept(?!-)/i)
  })

  test('ignore Accept where the response has no body', async () => {
    const { id } = await aDraft(service.client)
    await service.client.post(`/api/v1/envelopes/${id}/send`)
    const answer = await service.client.send('POST', `/api/v1/envelopes/${id}/cancel`, { headers: { Accept: 'text/csv' } })
    expect(answer.status).toBe(204)
  })
})

describe('an unknown page', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test.each([
    ['/nowhere', 'en-GB', '<h1>Page not found</h1>'],
    ['/sign', 'de-AT,de;q=0.9,en;q=0.5', '<h1>Seite nicht gefunden</h1>'],
    ['/dev/webhookz', 'fr', '<h1>Page not found</h1>'],
  ])('is a page for browsers: %s', async (path, language, heading) => {
    const headers = { Accept: BROWSER, 'Accept-Language': language }
    const response = await fetch(service.url + path, { headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(response.headers.get('vary')).toContain('Accept')
    expect(await response.text()).toContain(heading)
  })

  test.each([
    ['GET', '/nowhere', '*/*'],
    ['GET', '/nowhere', 'application/json'],
    ['POST', '/nowhere', BROWSER],
    ['GET', '/api/v1/nowhere', BROWSER],
    ['GET', '/settings/api/nowhere', BROWSER],
    ['GET', '/assets/nowhere.js', BROWSER],
  ])('has an error body for programs: %s %s, Accept: %s', async (method, path, Accept) => {
    const answer = await service.client.send(method, path, { headers: { Accept } })
    expect([answer.status, answer.body.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })
})

describe('the start page', () => {
  const read = async (headers: Record<string, string> = {}) => (await fetch(`${service.url}/`, { headers })).text()

  test('says what runs here, with links to its parts', async () => {
    const page = await read()
    for (const path of ['/settings', '/verify', '/docs', '/dev/mails']) {
      expect(page).toContain(`<a href="${path}">`)
      expect((await fetch(service.url + path)).status).toBe(200)
    }
    expect(page).toMatch(/Version \d+\.\d+/)
    expect(await read({ 'Accept-Language': 'de' })).toContain('elektronische Unterschriften')
  })

  test('names no /dev page to others', async () => {
    expect(await read({ 'X-Forwarded-For': '203.0.113.7' })).not.toContain('/dev/')
  })
})
