// The whole process tree is killed at marked points, each just before a certain row is written; `npm start` must then find every promise kept.
// A point is a database trigger that waits for a lock which the test holds: the product has no hook for it.
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processState } from '../../hack/servers/process-state.ts'
import { type ApiClient, apiClient } from '../support/clients/api-client.ts'
import { mailsTo, newProgress, type Progress, tokenIn, walk } from '../support/clients/crash-walk.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { type RunningService, startService, tryStart } from '../support/servers/running-service.ts'

const HOLD = 4_242

/** Where the tree is killed: before this write, the so-and-so-many'th of the walk. */
const POINTS: [name: string, write: string, nth: number][] = [
  ['the document’s bytes are received, nothing is recorded', 'insert on documents', 1],
  ['the document is stored, not acknowledged', 'update of stored_at on documents', 1],
  ['the envelope is about to be created', 'insert on envelopes', 1],
  ['the document is about to be attached', 'update of envelope_id on documents', 1],
  ['the first link is about to be made', 'insert on signing_links', 1],
  ['the second link is about to be made', 'insert on signing_links', 2],
  ['the send is told to nobody yet', 'insert on outbox', 1],
  ['a link is mailed, not recorded as mailed', 'update of done_at on mails', 1],
  ['a view is about to be recorded', 'insert on document_views', 1],
  ['the first signature is about to be written', 'insert on signatures', 1],
  ['the last signature is written, the promise to seal is not', 'insert on seal_jobs', 1],
  ['the document is sealed, not recorded', 'insert on sealed_documents', 1],
  ['the sealed copy is stored, not recorded as stored', 'update of stored_at on sealed_documents', 1],
  ['everything is sealed, the promise is still open', 'update of done_at on seal_jobs', 1],
]

let dataDir: string
let service: RunningService
let pdf: Buffer

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-crash-'))
  pdf = await readFile(pdfFixture('libreoffice.pdf'))
  service = await startService(dataDir)
})
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

// rows: running/starting/kill -9
describe('killed outright when', () => {
  test.each(POINTS)('%s', async (name, write, nth) => {
    const progress = newProgress(POINTS.findIndex(([each]) => each === name))
    await killAt(write, nth, progress)
    service = await startService(dataDir)
    await walk(service.dev, pdf, progress)
    await assertKept(progress)
  })
})

// rows: running/starting/stop, second start
test('SIGTERM stops the whole tree cleanly and leaves no dev.json', async () => {
  const { pid } = service.dev
  expect(await service.stop()).toBe(0)
  expect(await processState(pid)).toBeUndefined()
  await expect(readFile(path.join(dataDir, 'dev.json'))).rejects.toThrow('ENOENT')
  service = await startService(dataDir)
})

// rows: running/starting/stop, second start
test('a second start on the same data folder says so and ends with 1', async () => {
  const { code, output } = await tryStart(dataDir)
  expect(code).toBe(1)
  expect(output).toContain('already running')
})

test('the embedded Postgres killed alone ends the tree with 1 and a sentence, and the next start has everything', async () => {
  const progress = newProgress(POINTS.length)
  await walk(service.dev, pdf, progress)
  const lock = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
  expect(await service.exited).toBe(1)
  expect(service.output()).toContain('The embedded Postgres has exited (signal SIGKILL).')
  service = await startService(dataDir)
  await assertKept(progress)
})

/** Walks until the write is reached, then kills everything while it waits there. */
async function killAt(write: string, nth: number, progress: Progress): Promise<void> {
  const sql = postgres(service.databaseUrl, { max: 2, onnotice: () => {} })
  const holder = await sql.reserve()
  await holder`select pg_advisory_lock(${HOLD})`
  await sql.unsafe(`
    drop function if exists hold cascade;
    drop sequence if exists hold_writes;
    create sequence hold_writes;
    create function hold() returns trigger language plpgsql security definer as $$
      begin
        if nextval('hold_writes') = ${nth} then perform pg_advisory_xact_lock_shared(${HOLD}); end if;
        return new;
      end $$;
    create trigger a_hold before ${write} for each row execute function hold();`)
  const walking = walk(service.dev, pdf, progress).catch((error: unknown) => error)
  await untilWaiting(sql)
  await service.killTree()
  await walking
  await sql.end({ timeout: 0 }).catch(() => {}) // the server is gone
}

async function untilWaiting(sql: postgres.Sql): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    const waiting = await sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${HOLD} and not granted`
    if (waiting.length > 0) return
    await delay(20)
  }
  throw new Error('The walk never came to this write.')
}

/** Everything that was acknowledged is there, once. */
async function assertKept({ envelopeId, documentId, signers }: Progress): Promise<void> {
  const client = await apiClient(service.dev.baseUrl, service.dev)
  const sealedUrl = await untilSealed(client, envelopeId!)
  expect((await client.get(`/api/v1/envelopes/${envelopeId}`)).body).toMatchObject({ status: 'COMPLETED', documentCount: 1 })
  await assertVerifies(sealedUrl)

  for (const { email } of signers) {
    const mails = await untilMailed(email)
    const links = mails.filter(({ subject }) => !subject.startsWith('Signed by everyone'))
    expect(new Set(links.map(({ text }) => tokenIn(text))).size, 'one token for each signer').toBe(1)
  }

  const sql = postgres(service.databaseUrl, { max: 1, onnotice: () => {} })
  const [counts] = await sql`
    select (select count(*)::int from signing_links where envelope_id = ${envelopeId!}) as links,
      (select count(*)::int from signatures where envelope_id = ${envelopeId!}) as signatures,
      (select count(*)::int from sealed_documents where document_id = ${documentId!} and stored_at is not null) as sealed,
      (select count(*)::int from outbox where subject = 'sealwright.envelope.completed' and body->>'envelopeId' = ${envelopeId!}) as completed,
      (select count(*)::int from outbox where subject = 'sealwright.signer.signed' and body->>'envelopeId' = ${envelopeId!}) as signed,
      (select count(*)::int from outbox where published_at is null) as unpublished,
      (select count(*)::int from sealed_documents) as all_sealed`
  await sql.end({ timeout: 5 })
  expect(counts).toMatchObject({ links: 2, signatures: 2, sealed: 1, completed: 1, signed: 2, unpublished: 0 })
  const files = (await readdir(path.join(dataDir, 'storage', 'objects'), { recursive: true })).filter((name) =>
    /sealed\/.*\.pdf$/.test(name),
  )
  expect(files, 'one sealed file for each sealed document').toHaveLength(counts!['all_sealed'])
}

async function untilSealed(client: ApiClient, envelopeId: string): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const { body } = await client.get(`/api/v1/envelopes/${envelopeId}/documents`)
    if (body[0].signedUrl) return body[0].signedUrl
    await delay(100)
  }
  throw new Error('The envelope was never sealed.')
}

async function untilMailed(email: string) {
  for (let tries = 0; tries < 600; tries++) {
    const mails = await mailsTo(service.dev, email)
    if (mails.some(({ subject }) => subject.startsWith('Signed by everyone'))) return mails
    await delay(100)
  }
  throw new Error(`No notice was mailed to ${email}.`)
}

async function assertVerifies(sealedUrl: string): Promise<void> {
  const sealed = Buffer.from(await (await fetch(sealedUrl)).arrayBuffer())
  const root = new X509Certificate(await readFile(path.join(dataDir, 'keys', 'signing-root.pem')))
  expect(verifyPdf(sealed, { trust: [root.raw] })).toMatchObject({ valid: true, trusted: true })
}
