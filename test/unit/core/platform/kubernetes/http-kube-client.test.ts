// Answers that a real API server gives rarely.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { newCredentials } from '#core/platform/kubernetes/credentials.ts'
import type { KubeClient, WatchEvent } from '#core/platform/kubernetes/kube-client.ts'
import { newKubeClient } from '#core/platform/kubernetes/http-kube-client.ts'
import { newKubePool } from '#core/platform/kubernetes/kube-pool.ts'

async function clientOf(answer: RequestListener): Promise<KubeClient> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pool = newKubePool(origin, null)
  onTestFinished(async () => {
    await pool[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
  })
  return newKubeClient(pool, '/prefix', newCredentials({ server: origin, token: { text: 'S3CRET' } }))
}

function status(code: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => response.writeHead(code, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
}

const get = { method: 'GET', path: '/api/v1/pods' } as const

async function eventsOf(client: KubeClient): Promise<WatchEvent[]> {
  const events: WatchEvent[] = []
  for await (const event of client.watch({ path: '/api/v1/pods', query: { watch: true } }, () => {})) events.push(event)
  return events
}

test('a request has the prefix, the query, the token and our name', async () => {
  const client = await clientOf(({ url, method, headers }, response) => {
    response.end(JSON.stringify({ url, method, authorization: headers.authorization, agent: headers['user-agent'] }))
  })
  expect(await client.request({ method: 'DELETE', path: '/api', query: { a: 1, b: 'x y', c: true } })).toEqual({
    url: '/prefix/api?a=1&b=x+y&c=true',
    method: 'DELETE',
    authorization: 'Bearer S3CRET',
    agent: 'sealwright',
  })
})

test.each([
  ['of the header', status(429, { reason: 'TooManyRequests', message: 'busy' }, { 'Retry-After': '3' }), 3_000],
  ['of the Status', status(504, { reason: 'Timeout', code: 504, details: { retryAfterSeconds: 2 } }), 2_000],
  ['of neither', status(500, 'no JSON'), undefined],
  ['that is not a number of seconds', status(503, '', { 'Retry-After': 'Wed, 25 Nov 2026 00:00:00 GMT' }), undefined],
])('a refusal carries the pause %s', async (_, answer, retryAfterMs) => {
  const client = await clientOf(answer)
  const error: unknown = await client.request(get).catch((cause: unknown) => cause)
  expect(error).toMatchObject({ name: 'KubeError' })
  expect(error).toHaveProperty('retryAfterMs', retryAfterMs)
})

test('a refused Secret is not quoted, a refused object of another kind is', async () => {
  const client = await clientOf(status(422, { reason: 'Invalid', message: 'data: Invalid value: "S3CRET"' }))
  const secret = client.request({ method: 'POST', path: '/api/v1/namespaces/a/secrets', body: {} })
  await expect(secret).rejects.toMatchObject({ status: 422, reason: 'Invalid' })
  await expect(secret).rejects.not.toThrow('S3CRET')
  await expect(client.request({ ...get, method: 'POST', body: {} })).rejects.toThrow('Invalid value')
})

test('an answer that is not JSON is malformed, and not quoted', async () => {
  const client = await clientOf(status(200, 'S3CRET'))
  const malformed = client.request(get)
  await expect(malformed).rejects.toMatchObject({ name: 'KubeUnreachable', reason: 'malformed' })
  await expect(malformed).rejects.not.toThrow('S3CRET')
})

test('a server that is not there is unreachable', async () => {
  const client = await clientOf((request) => request.socket.destroy())
  await expect(client.request(get)).rejects.toMatchObject({ name: 'KubeUnreachable', reason: 'connection' })
})

test('a caller that gives up gets its own reason', async () => {
  const client = await clientOf(() => {})
  const left = new AbortController()
  const call = client.request({ ...get, signal: left.signal })
  left.abort(new Error('stopping'))
  await expect(call).rejects.toThrow('stopping')
  await expect(client.request({ ...get, signal: left.signal })).rejects.toThrow('stopping')
})

test('a body that stops arriving ends at the deadline', async () => {
  const client = await clientOf((_, response) => void response.write('{'))
  await expect(client.request({ ...get, timeoutMs: 50 })).rejects.toMatchObject({ reason: 'deadline' })
})

test('a watch joins lines that arrive in pieces, within characters too', async () => {
  const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: { kind: 'Ä' } })}\n`)
  const cut = line.indexOf(0xc3) + 1
  const client = await clientOf((_, response) => {
    response.write(line.subarray(0, cut))
    setImmediate(() => response.end(Buffer.concat([line.subarray(cut), line])))
  })
  const event = { type: 'ADDED', object: { kind: 'Ä' } }
  expect(await eventsOf(client)).toEqual([event, event])
})

test.each([
  ['a line that is not JSON', 'S3CRET\n'],
  ['a line that is no event', '{"type":"ADDED"}\n'],
  ['an unknown type', '{"type":"RENAMED","object":{}}\n'],
  ['half a line at the end', '{"type":"ADDED"'],
])('a watch with %s fails', async (_, body) => {
  const failed = eventsOf(await clientOf(status(200, body)))
  await expect(failed).rejects.toMatchObject({ name: 'KubeUnreachable', reason: 'malformed' })
  await expect(failed).rejects.not.toThrow('S3CRET')
})

test('an ERROR event is an event; a refused watch is a KubeError', async () => {
  const expired = { type: 'ERROR', object: { code: 410, reason: 'Expired' } }
  expect(await eventsOf(await clientOf(status(200, `${JSON.stringify(expired)}\n`)))).toEqual([expired])
  await expect(eventsOf(await clientOf(status(410, expired.object)))).rejects.toMatchObject({ status: 410, reason: 'Expired' })
})
