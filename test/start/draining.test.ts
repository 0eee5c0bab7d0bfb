// On a stop, a process takes no new work and finishes running work for up to ten seconds; the rest is released to another process. It exits
// with 0.
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { constants, type FileHandle, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deriveInstallationKeys, type InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { newId, PersonId, type OrgId } from '#core/ids.ts'
import { mailContext } from '#core/mail/record-mail.ts'
import { createOrganisation, type NewOrganisation } from '#core/account/organisation/create-organisation.ts'
import { issueSetupLink } from '#core/account/person/issue-setup-link.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { writePemKey } from '#core/pades/signing-key.ts'
import { insertSealJob } from '#core/envelope/seal-job.ts'
import type { SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, test, vi } from 'vitest'
import { accessToken, apiClient } from '../support/clients/api-client.ts'
import { ADA, aSentEnvelope } from '../support/builders/envelopes.ts'
import { SLOW_MS, startFaultProxy } from '../support/faults/fault-proxy.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { aDraftRow } from '../support/builders/rows.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { type SmtpSink, startSmtpSink } from '../support/servers/smtp-sink.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'
import { type Environment, startTier, type TierProcess } from '../support/servers/tier-process.ts'
import { sendingMail, validSettings } from '../support/servers/valid-settings.ts'

const PATIENCE = { timeout: 150_000, interval: 50 }

let endings: AsyncDisposableStack
let folder: string

beforeAll(async () => {
  endings = new AsyncDisposableStack()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-draining-'))
  endings.defer(() => rm(folder, { recursive: true, force: true }))
})
afterAll(() => endings.disposeAsync())

interface Ground {
  database: TestDatabase
  valid: Environment
  keys: InstallationKeys
  organisation: NewOrganisation
}

/** A separate database, bucket and organisation. */
async function ground(): Promise<Ground> {
  const database = endings.use(await testDatabase())
  const valid = await validSettings(database.url, folder)
  const keys = deriveInstallationKeys(Buffer.from(valid['SEALWRIGHT_INSTALLATION_KEY'] ?? '', 'base64'))
  return {
    database,
    valid,
    keys,
    organisation: await createOrganisation({ database: database.system }, { name: 'Test organisation' }),
  }
}

function start(command: readonly string[], environment: Environment): TierProcess {
  const tier = startTier(command, environment)
  endings.defer(async () => void (await tier.stop()))
  return tier
}

/** A due email to a person of the organisation. */
async function queueMail({ database, keys }: Ground, orgId: OrgId): Promise<void> {
  const [id, personId] = [randomUUID(), newId(PersonId)]
  const email = `${personId}@example.test`
  await inTransaction(database.system, async (sql) => {
    await sql`insert into people (org_id, id, email, name, role) values (${orgId}, ${personId}, ${email}, 'Ada', 'ADMIN')`
    const link = await issueSetupLink(sql, orgId, personId)
    const secretBox = keys.seal(`https://sign.example.test/settings/setup#${link}`, mailContext(id))
    await sql`
      insert into mails (org_id, id, person_id, template, secret_box, state)
      values (${orgId}, ${id}, ${personId}, 'PANEL_SETUP', ${secretBox}, 'WAITING')`
  })
}

/** An envelope that is due for sealing. */
async function queueSeal({ database: { system }, organisation: { orgId, generalWorkspaceId } }: Ground): Promise<void> {
  await insertSealJob(system, orgId, await aDraftRow(system, { orgId, workspaceId: generalWorkspaceId }))
}

const mailStates = async ({ database }: Ground) => await database.owner`select state, attempts from mails`

/** A server that has received an email's text and does not answer until the test lets it. */
async function hesitantSink(): Promise<{ sink: SmtpSink; asked: Promise<void>; answer: () => void }> {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const onData: SMTPServerOptions['onData'] = (stream, _session, done) => {
    stream.resume().once('end', () => {
      asked.resolve()
      void answer.promise.then(() => done())
    })
  }
  const sink = await startSmtpSink({ onData, closeTimeout: 1 })
  endings.defer(() => sink.close())
  return { sink, asked: asked.promise, answer: answer.resolve }
}

test.concurrent('a stop during the start begins no work', async ({ expect }) => {
  const own = await ground()
  const { sink } = await hesitantSink()
  await queueMail(own, own.organisation.orgId)
  const slow = await startFaultProxy(own.valid['SEALWRIGHT_S3_ENDPOINT'] ?? '')
  endings.defer(() => slow.close())
  slow.faults = () => 'slow'
  const settings = { ...sendingMail(sink.port), SEALWRIGHT_S3_ENDPOINT: slow.url }
  const worker = start(['workers/main.ts', 'mail', 'seal'], { ...own.valid, ...settings })
  await vi.waitFor(() => expect(slow.seen).not.toEqual([]), PATIENCE)
  // By then only the store is pending.
  await delay(SLOW_MS / 2)
  expect(await worker.stop()).toBe(0)
  expect(worker.log().map(({ msg }) => msg)).not.toContain('workers.started')
  expect(await mailStates(own)).toEqual([{ state: 'WAITING', attempts: 0 }])
})

/** Creates a file whose readers block until its text is given; `asked` resolves when there is a reader. */
async function awaitedFile(file: string): Promise<{ asked: () => Promise<void>; give: (text: string) => Promise<void> }> {
  await promisify(execFile)('mkfifo', [file])
  // Opening it like this fails without a reader.
  const openToWrite = () => open(file, constants.O_WRONLY | constants.O_NONBLOCK)
  let writer: FileHandle
  return {
    async asked() {
      writer = await vi.waitFor(openToWrite, PATIENCE)
      endings.defer(() => writer.close())
    },
    async give(text) {
      await writer.write(text)
      await writer.close()
    },
  }
}

test.concurrent('a stop while the signing key is being opened starts no seal, and registers no key', async ({ expect }) => {
  const own = await ground()
  await queueSeal(own)
  const dataDir = path.join(folder, randomUUID())
  await mkdir(path.join(dataDir, 'keys'), { recursive: true })
  const key = await awaitedFile(path.join(dataDir, 'keys', 'signing-key.pem'))
  const worker = start(['workers/main.ts', 'seal'], { ...own.valid, SEALWRIGHT_DATA_DIR: dataDir })
  await key.asked()
  const stopped = worker.stop()
  await vi.waitFor(() => expect(worker.log().some(({ msg }) => msg === 'workers.stopping')).toBe(true), PATIENCE)
  await key.give(writePemKey(await newSelfSignedKey({ commonName: 'Awaited seal', organisation: 'Test', now: new Date() })))
  expect([await stopped, worker.words()]).toEqual([0, []])
  expect(worker.log().map(({ msg }) => msg)).not.toContain('role.started')
  const seals = await own.database.owner`select state, attempts, failures, released, leased_until, last_error from seal_jobs`
  const untouched = { state: 'WAITING', attempts: 0, failures: 0, released: 0, leasedUntil: null, lastError: null }
  expect(seals).toEqual([untouched])
  expect(await own.database.owner`select 1 from signing_keys`).toEqual([])
})

test.concurrent('a running email is finished, and no other is started', async ({ expect }) => {
  const own = await ground()
  const { sink, asked, answer } = await hesitantSink()
  await queueMail(own, own.organisation.orgId)
  const worker = start(['workers/main.ts', 'mail'], { ...own.valid, ...sendingMail(sink.port) })
  await asked
  const stopped = worker.stop()
  await vi.waitFor(() => expect(worker.log().some(({ msg }) => msg === 'workers.stopping')).toBe(true), PATIENCE)
  await queueMail(own, own.organisation.orgId)
  answer()
  expect(await stopped).toBe(0)
  expect(new Set((await mailStates(own)).map(({ state }) => state))).toEqual(new Set(['DONE', 'WAITING']))
  expect(sink.connections).toBeLessThanOrEqual(2)
})

test.concurrent('an endless email is abandoned after ten seconds, and another worker sends it', async ({ expect }) => {
  const own = await ground()
  const { sink, asked } = await hesitantSink()
  await queueMail(own, own.organisation.orgId)
  const worker = start(['workers/main.ts', 'mail'], { ...own.valid, ...sendingMail(sink.port) })
  await asked
  const askedAt = performance.now()
  expect(await worker.stop()).toBe(0)
  const tookMs = performance.now() - askedAt
  expect(tookMs).toBeGreaterThan(9_900)
  expect(tookMs).toBeLessThan(25_000)
  expect(worker.log()).toContainEqual(expect.objectContaining({ msg: 'role.drain_timed_out', role: 'mail' }))
  expect(await mailStates(own)).toEqual([{ state: 'WAITING', attempts: 1 }])
  expect(await own.database.owner`select leased_until from mails`).toEqual([{ leasedUntil: null }])
  const other = await startSmtpSink()
  endings.defer(() => other.close())
  start(['workers/main.ts', 'mail'], { ...own.valid, ...sendingMail(other.port) })
  await vi.waitFor(async () => expect(await mailStates(own)).toEqual([{ state: 'DONE', attempts: 2 }]), PATIENCE)
  expect(other.received).toHaveLength(1)
})

test.concurrent('a running seal is finished; an upload is received completely, and no new request is accepted', async ({
  expect,
}) => {
  const own = await ground()
  const url = `http://127.0.0.1:${own.valid['SEALWRIGHT_PORT']}`
  const api = start(['api/main.ts'], own.valid)
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), PATIENCE)
  const { id, tokens } = await aSentEnvelope(await apiClient(url, own.organisation), { signers: [ADA] })
  await signAs({ url }, tokens[0]?.token ?? '')

  const slow = await startFaultProxy(own.valid['SEALWRIGHT_S3_ENDPOINT'] ?? '')
  endings.defer(() => slow.close())
  const worker = start(['workers/main.ts', 'seal'], { ...own.valid, SEALWRIGHT_S3_ENDPOINT: slow.url })
  slow.faults = ({ method, url: at }) => (method === 'GET' && /original|documents/.test(at ?? '') ? 'slow' : undefined)
  await vi.waitFor(() => expect(slow.seen.some((each) => /^GET .*(original|documents)/.test(each))).toBe(true), PATIENCE)
  expect(await worker.stop()).toBe(0)
  const [intent] = await own.database.owner`select state, attempts from seal_jobs where envelope_id = ${id}`
  expect(intent).toEqual({ state: 'DONE', attempts: 1 })

  const upload = await halfUpload(url, await accessToken(url, own.organisation))
  const stopped = api.stop()
  await vi.waitFor(() => expect(fetch(`${url}/livez`)).rejects.toThrow(), PATIENCE)
  expect(await upload.finish()).toBe(201)
  expect(await stopped).toBe(0)
})

test.concurrent('a seal that an unresponsive store blocks is released after ten seconds, and is not a loss', async ({
  expect,
}) => {
  const own = await ground()
  const url = `http://127.0.0.1:${own.valid['SEALWRIGHT_PORT']}`
  start(['api/main.ts'], own.valid)
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), PATIENCE)
  const { tokens } = await aSentEnvelope(await apiClient(url, own.organisation), { signers: [ADA] })
  await signAs({ url }, tokens[0]?.token ?? '')

  const store = await startFaultProxy(own.valid['SEALWRIGHT_S3_ENDPOINT'] ?? '')
  endings.defer(() => store.close())
  store.faults = ({ method, url: at }) => (method === 'GET' && /original|documents/.test(at ?? '') ? 'silent' : undefined)
  const ports = { SEALWRIGHT_PORT: '0', SEALWRIGHT_METRICS_PORT: '0' }
  const worker = start(['workers/main.ts', 'seal'], { ...own.valid, ...ports, SEALWRIGHT_S3_ENDPOINT: store.url })
  await vi.waitFor(() => expect(store.seen.some((each) => /^GET .*(original|documents)/.test(each))).toBe(true), PATIENCE)
  expect(await worker.stop()).toBe(0)
  expect(worker.log()).toContainEqual(expect.objectContaining({ msg: 'role.drain_timed_out', role: 'seal' }))
  const seals = await own.database.owner`select state, attempts, failures, released, leased_until from seal_jobs`
  expect(seals).toEqual([{ state: 'WAITING', attempts: 1, failures: 0, released: 1, leasedUntil: null }])
})

test.concurrent('in one process an endless email and an endless seal share the same ten seconds', async ({ expect }) => {
  const own = await ground()
  const url = `http://127.0.0.1:${own.valid['SEALWRIGHT_PORT']}`
  const { sink, asked } = await hesitantSink()
  const store = await startFaultProxy(own.valid['SEALWRIGHT_S3_ENDPOINT'] ?? '')
  endings.defer(() => store.close())
  const service = start(['hack/embedded/main.ts'], {
    ...own.valid,
    SEALWRIGHT_DATA_DIR: await mkdtemp(path.join(folder, 'embedded-')),
    ...sendingMail(sink.port),
    SEALWRIGHT_S3_ENDPOINT: store.url,
  })
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), PATIENCE)
  const { tokens } = await aSentEnvelope(await apiClient(url, own.organisation), { signers: [ADA] })
  store.faults = ({ method, url: at }) => (method === 'GET' && /original|documents/.test(at ?? '') ? 'silent' : undefined)
  await signAs({ url }, tokens[0]?.token ?? '')
  await asked
  await vi.waitFor(() => expect(store.seen.some((each) => /^GET .*(original|documents)/.test(each))).toBe(true), PATIENCE)
  const askedAt = performance.now()
  expect(await service.stop()).toBe(0)
  const tookMs = performance.now() - askedAt
  expect(tookMs).toBeGreaterThan(9_900)
  expect(tookMs).toBeLessThan(19_000)
  expect(await own.database.owner`select released, leased_until from seal_jobs`).toEqual([{ released: 1, leasedUntil: null }])
  expect(await own.database.owner`select from mails where leased_until is not null`).toHaveLength(0)
})

/** An upload whose first half the service has received. */
async function halfUpload(url: string, token: string): Promise<{ finish: () => Promise<number | undefined> }> {
  const pdf = await readFile(pdfFixture('reportlab.pdf'))
  const boundary = createHash('sha256').update(pdf).digest('hex')
  const disposition = 'Content-Disposition: form-data; name="file"; filename="lease.pdf"'
  const head = Buffer.from(`--${boundary}\r\n${disposition}\r\nContent-Type: application/pdf\r\n\r\n`)
  const whole = Buffer.concat([head, pdf, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': `multipart/form-data; boundary=${boundary}` }
  const sending = request(`${url}/api/v1/documents`, { method: 'POST', headers: { ...headers, 'Content-Length': whole.length } })
  const status = new Promise<number | undefined>((resolve, reject) => {
    sending.once('response', (response) => resolve(response.resume().statusCode))
    sending.once('error', reject)
  })
  const half = Math.floor(whole.length / 2)
  await new Promise<void>((resolve) => sending.write(whole.subarray(0, half), () => resolve()))
  // Once it has the head, the service is processing it.
  await fetch(`${url}/livez`)
  return {
    finish: () => {
      sending.end(whole.subarray(half))
      return status
    },
  }
}
