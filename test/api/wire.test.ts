// Requests that client libraries never send: slow, truncated, smuggled, oversized. The service answers or disconnects, stores nothing, and
// continues.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../api/http/app.ts'
import { serve } from '../../api/serve.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { chunk } from '../support/clients/endless-request.ts'
import { type RawConnection, rawConnection } from '../support/clients/raw-http.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let pdf: Buffer
let spoolDir: string
/** The same application behind a server with shorter time-outs. */
let impatient: { url: string; close(): Promise<void> }

beforeAll(async () => {
  service = await testService()
  pdf = await readFile(pdfFixture('reportlab.pdf'))
  spoolDir = await mkdtemp(path.join(tmpdir(), 'sealwright-spool-'))
  const app = createApp(service.api, { reports: service.reports, spoolDir, pagesDir: 'none' })
  const limits = { headersTimeoutMs: 200, requestTimeoutMs: 600, checkIntervalMs: 50 }
  const http = await serve(app, '127.0.0.1', 0, limits)
  impatient = { url: `http://127.0.0.1:${http.port}`, close: () => http.close(0) }
})
afterAll(async () => {
  await impatient.close()
  await rm(spoolDir, { recursive: true })
  await service[Symbol.asyncDispose]()
})

const BOUNDARY = 'a-boundary'
const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`
const CLOSE = `\r\n--${BOUNDARY}--\r\n`

function head(line: string, headers: Record<string, string> = {}): string {
  const fields = Object.entries({ Host: 'localhost', Authorization: `Bearer ${service.client.token}`, ...headers })
  return `${line} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

const uploadHead = (headers: Record<string, string>) =>
  head('POST /api/v1/documents', { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers })

const JSON_TYPE = { 'Content-Type': 'application/json' }

async function goesOn(): Promise<void> {
  expect((await service.client.get('/api/v1/envelopes/stats')).status).toBe(200)
}

/** Repeats a piece until the server closes the connection. */
async function trickle(connection: RawConnection, piece: string): Promise<string> {
  const timer = setInterval(() => connection.write(piece), 20)
  return connection.closed.finally(() => clearInterval(timer))
}

async function untilNothingIsSpooled(): Promise<void> {
  while ((await readdir(spoolDir)).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('a slow client is disconnected', () => {
  test('that never completes the headers', async () => {
    using slow = rawConnection(impatient.url)
    slow.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n')
    expect(await trickle(slow, 'X-More: 1\r\n')).toMatch(/^(HTTP\/1\.1 408 |$)/)
    await goesOn()
  })

  test('that never completes a JSON body', async () => {
    using slow = rawConnection(impatient.url)
    slow.write(head('POST /api/v1/envelopes', { ...JSON_TYPE, 'Content-Length': '100000' }))
    slow.write('{"title":"')
    expect(await trickle(slow, 'x')).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
    await goesOn()
  })

  test('that never completes an upload, and nothing of it is stored', async () => {
    using slow = rawConnection(impatient.url)
    slow.write(uploadHead({ 'Content-Length': '1000000' }))
    slow.write(PART)
    expect(await trickle(slow, '%PDF-1.7 ')).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
    await untilNothingIsSpooled()
    expect(await service.database.owner`select 1 from documents`).toHaveLength(0)
    await goesOn()
  })

  test('that never reads the response', async () => {
    const { promise: cutOff, resolve } = Promise.withResolvers<void>()
    const http = await serve(
      (_request, response) => {
        response.once('close', resolve)
        response.write(Buffer.alloc(64 * 1024 * 1024)) // more than the buffers on the way hold
      },
      '127.0.0.1',
      0,
      { idleTimeoutMs: 200 },
    )
    const socket = connect({ port: http.port, host: '127.0.0.1' })
    socket.on('error', () => {}) // reset by the server
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await cutOff
    socket.destroy()
    await http.close(0)
  })

  test('and many of them do not delay others', async () => {
    const copyEnvelopes = Array.from({ length: 200 }, () => rawConnection(impatient.url))
    for (const each of copyEnvelopes) each.write('GET /livez HTTP/1.1\r\nX-Slow: ')
    const answer = await fetch(`${impatient.url}/livez`)
    expect(answer.status).toBe(200)
    await Promise.all(copyEnvelopes.map((each) => each.closed))
  })
})

test('a server that stops first answers for a while, and ends each connection with its next response', async () => {
  const http = await serve((_request, response) => response.end('here'), '127.0.0.1', 0)
  const url = `http://127.0.0.1:${http.port}`
  using kept = rawConnection(url)
  kept.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await kept.answers(1)
  const closed = http.close(1_000, 500)
  kept.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [first, second] = (await kept.closed).split('here')
  expect([first, second]).toEqual([
    expect.stringContaining('Connection: keep-alive'),
    expect.stringContaining('Connection: close'),
  ])
  using late = rawConnection(url)
  late.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(await late.closed).toContain('Connection: close')
  await closed
  await expect(fetch(url)).rejects.toThrow()
})

describe('a truncated upload', () => {
  test.each([
    ['by a client that sends no more', (connection: RawConnection) => connection.end()],
    ['by a client that resets the connection', (connection: RawConnection) => connection.reset()],
  ])('%s is not kept', async (_name, cut) => {
    using connection = rawConnection(impatient.url)
    connection.write(uploadHead({ 'Content-Length': '1000000' }))
    connection.write(PART)
    connection.write('%PDF-1.7 half of it')
    while ((await readdir(spoolDir)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    cut(connection)
    expect(await connection.closed).toMatch(/^(HTTP\/1\.1 400 |$)/)
    await untilNothingIsSpooled()
    expect(await service.database.owner`select 1 from documents`).toHaveLength(0)
  })
})

describe('a message of ambiguous length is rejected as a whole', () => {
  const smuggled = 'GET /api/v1/envelopes/stats HTTP/1.1\r\nHost: localhost\r\n\r\n'
  test.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 60\r\n'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n'],
    ['chunks under another name', 'Transfer-Encoding: chunked, identity\r\n'],
    ['a negative length', 'Content-Length: -1\r\n'],
    ['a length that is no number', 'Content-Length: 0x10\r\n'],
    ['a length on the next line', 'Content-Length:\r\n 2\r\n'],
    ['a space before the colon', 'Content-Length : 2\r\n'],
    ['a bare line feed', 'X-Field: 1\nContent-Length: 2\r\n'],
  ])('with %s', async (_name, fields) => {
    using connection = rawConnection(service.url)
    connection.write(
      `POST /api/v1/envelopes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${fields}\r\n{}${smuggled}`,
    )
    connection.end()
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 400 /)
    expect(await connection.closed).not.toMatch(/HTTP\/1\.1 [\s\S]*HTTP\/1\.1 /)
    await goesOn()
  })

  test('with a chunk of the wrong length', async () => {
    using connection = rawConnection(service.url)
    connection.write(head('POST /api/v1/envelopes', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }))
    connection.write('5\r\n{"titl\r\n0\r\n\r\n')
    connection.end()
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 400 /)
  })
})

// requirements: decisions/envelopes/Idempotency-Key
test('two Idempotency-Keys are rejected, even equal ones, and nothing is created', async () => {
  const body = JSON.stringify({ title: 'Under two keys', signers: [{ email: 'ada@example.test', name: 'Ada' }] })
  for (const [one, other] of [
    ['a', 'b'],
    ['a', 'a'],
  ] as const) {
    using connection = rawConnection(service.url)
    const keys = { 'Idempotency-Key': one, 'idempotency-key': other, Connection: 'close' }
    connection.write(head('POST /api/v1/envelopes', { ...JSON_TYPE, ...keys, 'Content-Length': String(body.length) }))
    connection.write(body)
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 400 [\s\S]*VALIDATION_FAILED/)
  }
  expect(await service.database.owner`select 1 from envelopes where title = 'Under two keys'`).toHaveLength(0)
})

describe('an unusual but valid message is accepted', () => {
  test('in chunks with trailers, which are ignored', async () => {
    using connection = rawConnection(service.url)
    const body = JSON.stringify({ title: 'In chunks', signers: [{ email: 'ada@example.test', name: 'Ada' }] })
    connection.write(head('POST /api/v1/envelopes', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked', Trailer: 'Authorization' }))
    connection.write(chunk(body.slice(0, 10)))
    connection.write(chunk(body.slice(10)))
    connection.write('0\r\nAuthorization: Bearer another-client\r\n\r\n')
    expect(await connection.answers(1)).toEqual(['201'])
  })

  test('an upload in chunks that split the boundary', async () => {
    using connection = rawConnection(service.url)
    connection.write(uploadHead({ 'Transfer-Encoding': 'chunked' }))
    const body = Buffer.concat([Buffer.from(PART), pdf, Buffer.from(CLOSE)])
    const cuts = [10, PART.length + 3, PART.length + pdf.length + 5, body.length]
    let from = 0
    for (const cut of cuts) {
      connection.write(chunk(body.subarray(from, cut)))
      from = cut
    }
    connection.write('0\r\n\r\n')
    expect(await connection.answers(1)).toEqual(['201'])
  })

  test('a bearer token after several spaces is valid, and two Authorization headers are not', async () => {
    using connection = rawConnection(service.url)
    const bearer = `Bearer ${service.client.token}`
    connection.write(head('GET /api/v1/envelopes/stats', { Authorization: bearer.replace(' ', '   ') }))
    const twice = `${bearer}\r\nAuthorization: Bearer x`
    connection.write(head('GET /api/v1/envelopes/stats', { Authorization: twice }))
    connection.write(head('GET /api/v1/envelopes/stats', { Authorization: `Bearer x\r\nAuthorization: ${bearer}` }))
    expect(await connection.answers(3)).toEqual(['200', '401', '401'])
  })

  test('two requests in one packet are answered separately', async () => {
    using connection = rawConnection(service.url)
    connection.write(head('GET /api/v1/envelopes/stats') + head('GET /api/v1/nothing'))
    expect(await connection.answers(2)).toEqual(['200', '404'])
  })
})

describe('an oversized head', () => {
  test.each([
    ['one field of a megabyte', `X-Big: ${'x'.repeat(1_000_000)}\r\n`],
    ['ten thousand fields', 'X-Many: 1\r\n'.repeat(10_000)],
    ['a token of a megabyte', `Authorization: Bearer ${'a'.repeat(1_000_000)}\r\n`],
  ])('is refused: %s', async (_name, fields) => {
    using connection = rawConnection(service.url)
    connection.write(`GET /api/v1/envelopes HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`)
    expect(await connection.closed).toMatch(/^(HTTP\/1\.1 431 |$)/)
    await goesOn()
  })

  test('is rejected: a path of a megabyte', async () => {
    using connection = rawConnection(service.url)
    connection.write(`GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    expect(await connection.closed).toMatch(/^(HTTP\/1\.1 (431|414) |$)/)
    await goesOn()
  })
})

describe('Expect: 100-continue', () => {
  const EXPECT = { Expect: '100-continue', 'Transfer-Encoding': 'chunked' }

  test('is answered only when the body is wanted', async () => {
    using wanted = rawConnection(service.url)
    wanted.write(uploadHead(EXPECT))
    await expect.poll(() => wanted.received()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    wanted.write(chunk(`${PART}hello${CLOSE}`))
    wanted.write('0\r\n\r\n')
    expect(await wanted.answers(1)).toEqual(['422'])
    for (const refused of [uploadHead({ ...EXPECT, Authorization: 'Bearer x' }), head('POST /nothing', EXPECT)]) {
      using connection = rawConnection(service.url)
      connection.write(refused)
      expect(await connection.closed).toMatch(/^HTTP\/1\.1 40[14] /)
    }
  })
})

test('a client that reads only after it has sent a small body gets the answer, and a connection is kept when the body was complete', async () => {
  using late = rawConnection(service.url)
  late.write(head('POST /nothing', { 'Transfer-Encoding': 'chunked' }))
  late.write(chunk('x'.repeat(500_000)))
  late.write('0\r\n\r\n')
  expect(await late.closed).toMatch(/^HTTP\/1\.1 404 /)
  using kept = rawConnection(service.url)
  kept.write(`POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`)
  await kept.answers(1)
  kept.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(await kept.answers(2)).toEqual(['404', '200'])
})
