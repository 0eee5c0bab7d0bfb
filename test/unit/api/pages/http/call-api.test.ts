import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { callApi } from '../../../../../api/pages/http/call-api.ts'
import { freePort } from '../../../../../hack/servers/free-port.ts'

let server: Server | undefined

async function answering(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createServer(answer)
  const port = await freePort()
  await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  return `http://127.0.0.1:${port}`
}

afterEach(async () => {
  await new Promise((resolve) => server?.close(resolve))
})

describe('a call', () => {
  test('returns the JSON of a success, and sends its body as JSON without referrer or cookie', async () => {
    const seen: IncomingMessage['headers'][] = []
    const url = await answering((request, response) => {
      seen.push(request.headers)
      response.end('{"verified":true}')
    })
    expect(await callApi({ method: 'POST', path: `${url}/x`, body: { code: '123456' } })).toEqual({
      ok: true,
      value: { verified: true },
    })
    expect(seen[0]).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' })
    expect(seen[0]).not.toHaveProperty('referer')
    expect(seen[0]).not.toHaveProperty('cookie')
  })

  test('returns nothing for 204', async () => {
    const url = await answering((_request, response) => response.writeHead(204).end())
    expect(await callApi({ method: 'POST', path: url })).toEqual({ ok: true, value: undefined })
  })

  test('turns an error answer into its code and wait', async () => {
    const url = await answering((_request, response) =>
      response.writeHead(429, { 'retry-after': '9' }).end('{"code":"RATE_LIMITED"}'),
    )
    expect(await callApi({ method: 'GET', path: url })).toEqual({
      ok: false,
      failure: { kind: 'answer', status: 429, code: 'RATE_LIMITED', retryAfterSeconds: 9 },
    })
  })

  test("survives a proxy's error page", async () => {
    const url = await answering((_request, response) => response.writeHead(502).end('<html>'))
    expect(await callApi({ method: 'GET', path: url })).toMatchObject({ ok: false, failure: { status: 502, code: '' } })
  })

  test.each([
    ['a broken connection', (response: ServerResponse) => void response.destroy()],
    ['a success that is cut off', (response: ServerResponse) => void response.end('{"verified":tr')],
  ])('takes %s for no answer', async (_name, answer) => {
    const url = await answering((_request, response) => answer(response))
    expect(await callApi({ method: 'GET', path: url })).toEqual({ ok: false, failure: { kind: 'network' } })
  })

  test('follows no redirect: it could lead the token elsewhere', async () => {
    const asked: (string | undefined)[] = []
    const url = await answering((request, response) => {
      asked.push(request.url)
      if (request.url === '/here') response.writeHead(302, { location: '/elsewhere' }).end()
      else response.end('{}')
    })
    expect(await callApi({ method: 'GET', path: `${url}/here` })).toEqual({ ok: false, failure: { kind: 'network' } })
    expect(asked).toEqual(['/here'])
  })
})
