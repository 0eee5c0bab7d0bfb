// A database that refuses writes or connections while the service runs: every route answers 503 with Retry-After, and after it everything that was
// acknowledged is there, and what was refused succeeds.
import { readFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../api/http/app.ts'
import { serve } from '../../api/serve.ts'
import { ADA, aDraft, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { type Answer, clientWithToken } from '../support/clients/api-client.ts'
import { type PanelClient, panelClient, PASSWORD, signedIn } from '../support/clients/panel-client.ts'
import { signer } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

/** Disk full, out of memory, out of resources, an I/O error. */
const STATES = ['53100', '53200', '53000', '58030']

/** The tables that every signature writes to. */
const OF_ANY_SIGNATURE =
  'signatures signers signing_links envelopes envelope_counts events outbox audit_events audit_heads deliveries delivery_jobs'.split(
    ' ',
  )

let service: TestService
let admin: PanelClient & { person: { email: string } }
let pdf: Buffer
let tables: string[]

beforeAll(async () => {
  service = await testService()
  admin = await signedIn(service)
  pdf = await readFile(pdfFixture('reportlab.pdf'))
  await service.database.owner.unsafe(`
    create function refuse_write() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = tg_argv[0]; end $$`)
  const found = await service.database.owner<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`
  tables = found.map(({ name }) => name)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Runs `work` while every statement that writes to one of the tables fails as it does when the server has no room. */
async function withoutRoom<Result>(state: string, names: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const { owner } = service.database
  const each = (of: (name: string) => string) => owner.unsafe(names.map(of).join(';'))
  await each(
    (name) => `create trigger no_room before insert or update or delete on ${name} execute function refuse_write('${state}')`,
  )
  try {
    return await work()
  } finally {
    await each((name) => `drop trigger no_room on ${name}`)
  }
}

function expectUnavailable(what: string, { status, headers, body }: Answer): void {
  expect([what, status, body.code]).toEqual([what, 503, 'SERVICE_UNAVAILABLE'])
  expect(Number(headers.get('retry-after')), what).toBeGreaterThan(0)
}

type Signer = ReturnType<typeof signer>

/** A request of each route that writes, on records of its own, and its status when there is room. */
async function requestsThatWrite(): Promise<Record<string, { send: () => Promise<Answer>; status: number }>> {
  const { client, url } = service
  const [draft, another, toSend] = [await aDraft(client), await aDraft(client), await aDraft(client)]
  const [toCancel, toOpen] = [await aSentEnvelope(client), await aSentEnvelope(client, { otpRequired: true })]
  const signers = await Promise.all([aSentEnvelope(client), aSentEnvelope(client)])
  const [ceremony, toView] = signers.map(({ tokens }) => signer(url, tokens[0]!.token)) as [Signer, Signer]
  const withCode = signer(url, toOpen.tokens[0]!.token)
  await ceremony.viewOpened()
  const unique = randomUUID()
  const at = (path: string) => `/api/v1/envelopes/${path}`
  const withKey = { 'Idempotency-Key': unique, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ title: 'x', signers: [ADA] })
  return {
    upload: { send: () => client.upload('/api/v1/documents', pdf), status: 201 },
    createEnvelope: { send: () => client.post('/api/v1/envelopes', { title: 'x', signers: [ADA] }), status: 201 },
    'createEnvelope with a key': {
      send: () => client.send('POST', '/api/v1/envelopes', { body, headers: withKey }),
      status: 201,
    },
    addSigner: { send: () => client.post(at(`${draft.id}/signers`), BEN), status: 201 },
    uploadEnvelopeDocument: { send: () => client.upload(at(`${draft.id}/documents`), pdf), status: 201 },
    dropEnvelope: { send: () => client.send('DELETE', at(another.id)), status: 204 },
    send: { send: () => client.post(at(`${toSend.id}/send`)), status: 200 },
    cancel: { send: () => client.post(at(`${toCancel.id}/cancel`), { reason: 'x' }), status: 204 },
    'request-otp': { send: () => withCode.requestOtp(), status: 200 },
    'view-opened': { send: () => toView.viewOpened(), status: 204 },
    sign: { send: () => ceremony.sign(), status: 200 },
    'sign-in': { send: () => panelClient(url).signIn(admin.person.email, PASSWORD), status: 200 },
    createWorkspace: { send: () => admin.post('/workspaces', { name: unique }), status: 201 },
    invite: { send: () => admin.post('/people', { name: 'Kim', email: `${unique}@example.test`, role: 'MEMBER' }), status: 201 },
  }
}

describe('without room for writes', () => {
  // requirements: decisions/security/storage full
  test.each(STATES)('(%s) each route that writes can be repeated, and then succeeds', async (state) => {
    const requests = await requestsThatWrite()
    await withoutRoom(state, tables, async () => {
      for (const [name, { send }] of Object.entries(requests)) expectUnavailable(name, await send())
      expect((await service.client.get('/api/v1/envelopes')).status).toBe(200)
    })
    for (const [name, { send, status }] of Object.entries(requests)) expect([name, (await send()).status]).toEqual([name, status])
  })

  // The statements of a signature are pipelined: whichever fails first, what the others report is not the reason.
  test('in one table a signature can be repeated, the first and the last', async () => {
    const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN] })
    const [first, last] = tokens.map(({ token }) => signer(service.url, token)) as [Signer, Signer]
    await first.viewOpened()
    await last.viewOpened()
    for (const table of OF_ANY_SIGNATURE) expectUnavailable(table, await withoutRoom('53100', [table], () => first.sign()))
    expect((await first.sign()).status).toBe(200)
    const ofLast = [...OF_ANY_SIGNATURE, 'seal_jobs', 'organisations']
    for (const table of ofLast) expectUnavailable(table, await withoutRoom('53100', [table], () => last.sign()))
    expect((await last.sign()).status).toBe(200)
    expect((await service.client.get(`/api/v1/envelopes/${id}`)).body.status).toBe('COMPLETED')
  })
})

test('on a database that became read-only each route that writes can be repeated, and then succeeds', async () => {
  const requests = await requestsThatWrite()
  const { owner } = service.database
  const { name } = (await owner<{ name: string }[]>`select current_database() as name`)[0]!
  const reconnect = () =>
    owner`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`
  await owner.unsafe(`alter database ${name} set default_transaction_read_only = on`)
  await reconnect()
  try {
    for (const [operation, { send }] of Object.entries(requests)) expectUnavailable(operation, await send())
    await expect.poll(async () => (await service.client.get('/api/v1/envelopes')).status).toBe(200)
  } finally {
    await owner.begin('read write', (sql) => sql.unsafe(`alter database ${name} set default_transaction_read_only = off`))
    await reconnect()
  }
  await expect.poll(async () => (await service.client.get('/api/v1/envelopes')).status).toBe(200)
  for (const [operation, { send, status }] of Object.entries(requests))
    expect([operation, (await send()).status]).toEqual([operation, status])
})

test('a server without a connection left answers each request with 503', async () => {
  const { owner, url } = service.database
  const user = `limited_${randomUUID().replaceAll('-', '')}`
  await owner.unsafe(`create role ${user} login password 'x' connection limit 0 in role sealwright_api`)
  const limited = new URL(url)
  limited.username = user
  limited.password = 'x'
  const database = openDatabase({ url: limited.href, pool: 2, role: 'sealwright_api' })
  const app = createApp({ ...service.api, database }, { reports: service.reports, spoolDir: service.dataDir, pagesDir: 'none' })
  const http = await serve(app, '127.0.0.1', 0)
  try {
    const client = clientWithToken(`http://127.0.0.1:${http.port}`, service.client.token)
    expectUnavailable('list', await client.get('/api/v1/envelopes'))
    expectUnavailable('create', await client.post('/api/v1/envelopes', { title: 'x', signers: [ADA] }))
    expectUnavailable('link', await client.get(`/api/v1/sign/${'A'.repeat(43)}`))
    expect((await client.get('/readyz')).status).toBe(503)
  } finally {
    await http.close(0)
    await database.end({ timeout: 1 })
    await owner.unsafe(`drop role ${user}`)
  }
})
