// The table "Limits of bodies" of docs/security.md, by raw socket: each body that has no end is answered, and its connection closed.
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AppOptions, createApp } from '../../api/http/app.ts'
import type { WebhookInbox } from '../../api/http/mounts/dev-webhooks/inbox.ts'
import { type HttpServer, serve } from '../../api/serve.ts'
import { chunk, endlessRequest } from '../support/clients/endless-request.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const MAX_UPLOAD_BYTES = 300_000
const BODY_SECONDS = 1
/** The largest limit, what is read after an answer, and the buffers of both sockets. */
const MOST_BYTES = 20 * 1024 * 1024
/** On a busy machine; without limits a connection stays for 300 s. */
const MOST_SECONDS = 50

let service: TestService
let spoolDir: string
/** Waits as long as by default. */
let patient: Served
/** Waits for a second. */
let impatient: Served
let token: string

interface Served {
  url: string
  http: HttpServer
}

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES) })
  spoolDir = await mkdtemp(path.join(tmpdir(), 'sealwright-spool-'))
  patient = await serveApp({})
  impatient = await serveApp({ bodySeconds: { json: BODY_SECONDS, upload: BODY_SECONDS } })
  token = service.client.token
})
afterAll(async () => {
  await patient.http.close(0)
  await impatient.http.close(0)
  await rm(spoolDir, { recursive: true })
  await service[Symbol.asyncDispose]()
})

async function serveApp(bodies: Pick<AppOptions, 'bodySeconds'>): Promise<Served> {
  const inbox: WebhookInbox = {
    endpointUrl: '',
    requests: () => [],
    behaviour: () => ({ status: 200 }),
    setBehaviour: () => {},
  }
  const pagesDir = path.resolve('api/pages/dist')
  const app = createApp(service.api, { reports: service.reports, spoolDir, pagesDir, webhookInbox: inbox, ...bodies })
  const http = await serve(app, '127.0.0.1', 0)
  return { url: `http://127.0.0.1:${http.port}`, http }
}

type Fields = Record<string, string>

function head(line: string, fields: Fields = {}): string {
  const all = Object.entries({ Host: 'localhost', 'Transfer-Encoding': 'chunked', ...fields })
  return `${line} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

const bearer = (): Fields => ({ Authorization: `Bearer ${token}` })
const JSON_TYPE = { 'Content-Type': 'application/json' }
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' }
const upload = (fields: Fields = {}) =>
  head('POST /api/v1/documents', { ...bearer(), 'Content-Type': 'multipart/form-data; boundary=b', ...fields })
const part = (disposition: string, type = 'application/pdf') =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`
const FILE = part('name="file"; filename="a.pdf"')
const KIB = 'x'.repeat(1_024)
const SMALL_PART = '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n'

interface Row {
  body: string
  head: () => string
  /** Sent once, then `piece` for ever. */
  first?: Buffer
  piece: string | Buffer
  answer: RegExp
}

const row = (body: string, of: () => string, piece: string | Buffer, answer: RegExp, first?: Buffer): Row => ({
  body,
  head: of,
  piece,
  answer,
  ...(first && { first }),
})

const SURPLUS_PARTS = row('surplus parts', upload, chunk(SMALL_PART), / 400 [\s\S]*VALIDATION_FAILED[\s\S]*exactly one part/)
const THE_FILE = row('the file', upload, chunk(KIB), / 422 [\s\S]*DOCUMENT_TOO_LARGE/, chunk(FILE))
const SMALL_CHUNKS = row(
  'the file, one byte a chunk',
  upload,
  chunk('x'),
  / 400 [\s\S]*VALIDATION_FAILED[\s\S]*chunks of less than 64 bytes/,
  chunk(FILE),
)

const UPLOADS = [
  SURPLUS_PARTS,
  row('surplus parts, many in a chunk', upload, chunk(SMALL_PART.repeat(500)), / 400 [\s\S]*exactly one part/),
  row(
    'a second part that goes on',
    upload,
    chunk(KIB),
    / 400 [\s\S]*exactly one part/,
    chunk(`${FILE}%PDF\r\n${part('name="x"', 'text/plain')}`),
  ),
  row(
    'a second part whose header goes on',
    upload,
    chunk(`X-${KIB}: 1\r\n`),
    / 400 [\s\S]*exactly one part/,
    chunk(`${FILE}%PDF\r\n--b\r\n`),
  ),
  row(
    'a first part of another name',
    upload,
    chunk(KIB),
    / 400 [\s\S]*exactly one part/,
    chunk(part('name="other"; filename="a"')),
  ),
  row(
    'a part of another type',
    upload,
    chunk(KIB),
    / 400 [\s\S]*UNSUPPORTED_CONTENT_TYPE[\s\S]*image\/png/,
    chunk(FILE.replace('application/pdf', 'image/png')),
  ),
  row('a part without a disposition', upload, chunk(KIB), / 400 [\s\S]*exactly one part/, chunk('--b\r\nX: 1\r\n\r\n')),
  row(
    'the header of the part',
    upload,
    chunk(`X-${KIB}: 1\r\n`),
    / 400 [\s\S]*more than 64 KiB before or after/,
    chunk('--b\r\n'),
  ),
  row('text before the part', upload, chunk(KIB), / 400 [\s\S]*more than 64 KiB before or after/),
  row(
    'text after the last boundary',
    upload,
    chunk(KIB),
    / 400 [\s\S]*more than 64 KiB before or after| 422 [\s\S]*DOCUMENT_TOO_LARGE/,
    chunk(`${FILE}%PDF\r\n--b--\r\n`),
  ),
  THE_FILE,
  SMALL_CHUNKS,
  row('a file of half boundaries', upload, chunk('\r\n--\r\n-b'.repeat(100)), / 422 [\s\S]*DOCUMENT_TOO_LARGE/, chunk(FILE)),
]

const READ = [
  row(
    'JSON of the API',
    () => head('POST /api/v1/envelopes', { ...bearer(), ...JSON_TYPE }),
    chunk(KIB),
    / 413 [\s\S]*PAYLOAD_TOO_LARGE[\s\S]*256 KiB/,
  ),
  row('spaces', () => head('POST /api/v1/envelopes', { ...bearer(), ...JSON_TYPE }), chunk(' '), / 413 | 400 /),
  row(
    'a gzip stream that yields nothing',
    () => head('POST /api/v1/envelopes', { ...bearer(), ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
    chunk(Buffer.from('000000ffff'.repeat(200), 'hex')),
    / 413 /,
    chunk(gzipSync('').subarray(0, 10)),
  ),
  row(
    'a signature',
    () => head(`POST /api/v1/sign/${'A'.repeat(43)}/sign`, JSON_TYPE),
    chunk(KIB),
    / 413 [\s\S]*PAYLOAD_TOO_LARGE[\s\S]*2048 KiB/,
  ),
  row('a one-time code', () => head(`POST /api/v1/sign/${'A'.repeat(43)}/verify-otp`, JSON_TYPE), chunk(KIB), / 413 /),
  row('a sign-in to the panel', () => head('POST /settings/api/session', JSON_TYPE), chunk(KIB), / 413 /),
  row('a token request', () => head('POST /oauth2/token', FORM_TYPE), chunk(KIB), / 400 [\s\S]*invalid_request[\s\S]*16 KiB/),
  row('the behaviour of the receiver', () => head('POST /dev/webhooks/behaviour', JSON_TYPE), chunk(KIB), / 413 /),
]

const UNREAD = [
  row('without a token', () => upload({ Authorization: 'Bearer x' }), chunk(KIB), / 401 /),
  row('without a session', () => head('POST /settings/api/webhooks', JSON_TYPE), chunk(KIB), / 401 /),
  row(
    'without a CSRF token',
    () => head('POST /settings/api/session', { ...JSON_TYPE, Origin: 'https://evil.example' }),
    chunk(KIB),
    / 403 /,
  ),
  row('to an unknown path', () => head('POST /nothing'), chunk(KIB), / 404 /),
  row('to an unknown path of the API', () => head('POST /api/v1/nothing', bearer()), chunk(KIB), / 404 /),
  row('by a method that a path lacks', () => head('PUT /api/v1/documents', bearer()), chunk(KIB), / 405 /),
  row(
    'of another type',
    () => head('POST /api/v1/envelopes', { ...bearer(), 'Content-Type': 'text/plain' }),
    chunk(KIB),
    / 415 /,
  ),
  row('of another type to the token endpoint', () => head('POST /oauth2/token', JSON_TYPE), chunk(KIB), / 400 /),
  row('that is not multipart', () => upload(JSON_TYPE), chunk(KIB), / 400 /),
  row('to another host', () => head('POST /api/v1/envelopes', { Host: 'evil.example' }), chunk(KIB), / 421 /),
  row('of a GET', () => head('GET /api/v1/envelopes/stats', bearer()), chunk(KIB), / 200 /),
  row('of a probe', () => head('GET /livez'), chunk(KIB), / 200 /),
  row('of a page', () => head('POST /verify'), chunk(KIB), / 40[45] /),
  row('of a download', () => head('GET /downloads/x'), chunk(KIB), / 404 /),
  row('of a callback', () => head('POST /settings/oidc/callback'), chunk(KIB), / 40[45] /),
  row(
    'that announces too much',
    () => upload({ 'Transfer-Encoding': '', 'Content-Length': String(10 ** 9) }).replace('Transfer-Encoding: \r\n', ''),
    KIB,
    / 422 [\s\S]*DOCUMENT_TOO_LARGE/,
  ),
  row(
    'of JSON that announces too much',
    () =>
      head('POST /api/v1/envelopes', { ...bearer(), ...JSON_TYPE, 'Content-Length': String(10 ** 9) }).replace(
        'Transfer-Encoding: chunked\r\n',
        '',
      ),
    KIB,
    / 413 /,
  ),
  row('that expects what HTTP does not have', () => upload({ Expect: 'a-miracle' }), chunk(KIB), / 417 /),
]

/** Sends the row's body until the connection is closed. */
function flood(each: Row) {
  return endlessRequest(patient.url, start(each), repeated(each.piece))
}

function start({ head: of, first }: Row): Buffer {
  return Buffer.concat([Buffer.from(of()), ...(first ? [first] : [])])
}

function repeated(piece: string | Buffer): Buffer {
  const bytes = Buffer.from(piece)
  return Buffer.concat(Array.from({ length: Math.ceil(65_536 / bytes.length) }, () => bytes))
}

// requirements: decisions/security/multipart
test('a body without an end is answered, and its connection closed', async () => {
  const rows = [...UPLOADS, ...READ, ...UNREAD]
  const ended = await Promise.all(rows.map(flood))
  for (const [place, { answer, sentBytes, seconds }] of ended.entries()) {
    const { body, answer: expected } = rows[place]!
    expect(answer, body).toMatch(expected)
    expect(answer, body).toMatch(/Connection: close/)
    expect(sentBytes, body).toBeLessThan(MOST_BYTES)
    expect(seconds, body).toBeLessThan(MOST_SECONDS)
  }
  await expect.poll(() => readdir(spoolDir)).toEqual([])
  expect(await service.database.owner`select 1 from documents`).toHaveLength(0)
})

test('a body that drips is answered when its time is over', async () => {
  const rows = [THE_FILE, ...READ.filter(({ body }) => !body.startsWith('a gzip'))]
  const ended = await Promise.all(rows.map((each) => endlessRequest(impatient.url, start(each), chunk('x'), 100)))
  for (const [place, { answer, seconds }] of ended.entries()) {
    const { body } = rows[place]!
    expect(answer, body).toMatch(/HTTP\/1\.1 400 [\s\S]*(VALIDATION_FAILED|invalid_request)[\s\S]*not complete after 1 seconds/)
    expect(seconds, body).toBeGreaterThan(BODY_SECONDS)
    expect(seconds, body).toBeLessThan(BODY_SECONDS + MOST_SECONDS)
  }
})

test('probes are answered at once while connections flood', async () => {
  const rows = [SURPLUS_PARTS, SMALL_CHUNKS, THE_FILE, ...UNREAD.slice(0, 2)]
  const floods = rows.map((each) => {
    const workerData = { url: patient.url, head: start(each), piece: repeated(each.piece) }
    const thread = new Worker(new URL('../support/clients/flood-thread.ts', import.meta.url), { workerData })
    return once(thread, 'exit')
  })
  const state = { isFlooding: true }
  const ended = Promise.all(floods).finally(() => (state.isFlooding = false))
  const delays: number[] = []
  while (state.isFlooding) {
    const begun = performance.now()
    await fetch(`${patient.url}/livez`)
    delays.push(performance.now() - begun)
  }
  await ended
  expect(Math.max(...delays)).toBeLessThan(1_000)
})
