// Dependencies that are down at the start: the process waits for Postgres and continues without the others. Both are logged sparingly,
// visible in the probes, and end when the server is up.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EnvelopeId, newId } from '#core/ids.ts'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { jobMessage } from '#core/work/job.ts'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { startNatsServer } from '../../hack/servers/nats-server.ts'
import { startSmtpSink, smtpReply } from '../support/servers/smtp-sink.ts'
import { readOnlySwitch } from '../support/servers/read-only-database.ts'
import { tcpFront } from '../support/faults/tcp-front.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'
import { type Environment, startTier, type TierProcess } from '../support/servers/tier-process.ts'
import { startTlsFront } from '../support/servers/tls-front.ts'
import { validSettings } from '../support/servers/valid-settings.ts'

const PATIENCE = { timeout: 150_000, interval: 100 }

let endings: AsyncDisposableStack
let folder: string
let database: TestDatabase
let valid: Environment

beforeAll(async () => {
  endings = new AsyncDisposableStack()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-awaited-'))
  endings.defer(() => rm(folder, { recursive: true, force: true }))
  database = endings.use(await testDatabase())
  valid = await validSettings(database.url, folder)
})
afterAll(() => endings.disposeAsync())

interface Watched extends TierProcess {
  /** The response of `/readyz` on the metrics port, undefined without one. */
  ready: () => Promise<{ status: number; body: unknown } | undefined>
  metricsUrl: string
  /** Log lines of this event. */
  logged: (event: string) => Record<string, unknown>[]
}

/** Starts a process with these settings changed, and stops it at the end of the file at the latest. */
async function start(command: readonly string[], changed: Environment): Promise<Watched> {
  const port = await freePort()
  const metricsUrl = `http://127.0.0.1:${port}`
  const own = { SEALWRIGHT_PORT: String(await freePort()), SEALWRIGHT_METRICS_PORT: String(port) }
  const tier = startTier(command, { ...valid, ...own, ...changed })
  endings.defer(async () => void (await tier.stop()))
  return {
    ...tier,
    metricsUrl,
    logged: (event) => tier.log().filter(({ msg }) => msg === event),
    async ready() {
      const response = await fetch(`${metricsUrl}/readyz`).catch(() => undefined)
      return response && { status: response.status, body: await response.json() }
    },
  }
}

const allWell = { status: 200, body: { status: 'ok', checks: expect.anything() } }

test.concurrent('the API waits for Postgres, is alive meanwhile, and serves when it is up', async ({ expect }) => {
  const url = new URL(database.url)
  const front = tcpFront(await freePort(), Number(url.port))
  url.port = String(front.port)
  const api = await start(['api/main.ts'], { SEALWRIGHT_DATABASE_URL: url.href })
  await expect.poll(api.ready, PATIENCE).toEqual({
    status: 503,
    body: {
      status: 'unavailable',
      checks: {
        start: {
          ok: false,
          error: `SEALWRIGHT_DATABASE_URL: the database cannot be reached (connect ECONNREFUSED 127.0.0.1:${front.port}).`,
        },
      },
    },
  })
  expect((await fetch(`${api.metricsUrl}/livez`)).status).toBe(200)
  // Several attempts, one log line.
  await expect.poll(() => api.logged('database.not_ready').length, PATIENCE).toBe(1)
  await front.open()
  await expect.poll(api.ready, PATIENCE).toEqual(allWell)
  expect(api.logged('database.not_ready')).toHaveLength(1)
  expect(api.logged('database.not_ready.resolved')).toHaveLength(1)
  expect(await api.stop()).toBe(0)
  await front.close()
})

test.concurrent('the controller waits for the migrations and names them', async ({ expect }) => {
  const admin = postgres(inject('postgresUrl'), { database: 'postgres', max: 1 })
  await admin.unsafe('create database unmigrated')
  await admin.end()
  const url = `${inject('postgresUrl')}/unmigrated`
  const controller = await start(['controller/main.ts'], { SEALWRIGHT_DATABASE_URL: url })
  await expect
    .poll(() => controller.logged('database.not_ready').map(({ reason }) => reason), PATIENCE)
    .toEqual([
      expect.stringMatching(
        /^SEALWRIGHT_DATABASE_URL: migrations are pending \(0001_platform\.sql, .*\); run "sealwright migrate"\.$/,
      ),
    ])
  await migrate(url)
  await expect.poll(controller.ready, PATIENCE).toEqual(allWell)
  expect(await controller.stop()).toBe(0)
})

test.concurrent.each([
  ['the API', ['api/main.ts']],
  ['the service in one process', ['hack/embedded/main.ts']],
])('%s waits for a database that takes changes', async (_, command) => {
  await using own = await testDatabase()
  await using readOnly = readOnlySwitch(own.url)
  await readOnly.set(true)
  const dataDir = await mkdtemp(path.join(folder, 'read-only-'))
  const tier = await start(command, { SEALWRIGHT_DATABASE_URL: own.url, SEALWRIGHT_DATA_DIR: dataDir })
  const words = () => [...tier.logged('database.not_ready').map(({ reason }) => reason), ...tier.words()].join('\n')
  await expect.poll(words, PATIENCE).toMatch(/SEALWRIGHT_DATABASE_URL: the database is read-only \(/)
  await readOnly.set(false)
  await expect.poll(tier.ready, PATIENCE).toEqual(allWell)
  expect(await tier.stop()).toBe(0)
})

test.concurrent('a waiting start ends at once and cleanly on a stop', async ({ expect }) => {
  const nowhere = { SEALWRIGHT_DATABASE_URL: `postgres://x@127.0.0.1:${await freePort()}/x` }
  const worker = await start(['workers/main.ts', 'relay'], nowhere)
  const embedded = await start(['hack/embedded/main.ts'], { ...nowhere, SEALWRIGHT_DATA_DIR: path.join(folder, 'embedded') })
  await expect.poll(() => worker.logged('database.not_ready').length, PATIENCE).toBe(1)
  await expect
    .poll(embedded.words, PATIENCE)
    .toEqual([expect.stringMatching(/^Waiting: SEALWRIGHT_DATABASE_URL: the database cannot be reached \(connect ECONNREFUSED /)])
  expect(await Promise.all([worker.stop(), embedded.stop()])).toEqual([0, 0])
})

test.concurrent('a relay works without NATS, reports only that, and notifies when it is up', async ({ expect }) => {
  const port = await freePort()
  const { orgId } = await createOrganisation({ database: database.system }, { name: 'Test organisation' })
  await inTransaction(database.system, (sql) => insertOutbox(sql, orgId, jobMessage(SEAL_WORK, { orgId, id: newId(EnvelopeId) })))
  const relay = await start(['workers/main.ts', 'relay'], { SEALWRIGHT_NATS_URL: `nats://127.0.0.1:${port}` })
  await expect.poll(relay.ready, PATIENCE).toEqual({
    status: 200,
    body: {
      status: 'degraded',
      checks: {
        database: { ok: true },
        changes: { ok: true },
        relay: { ok: true },
        nats: {
          ok: false,
          error: expect.stringMatching(
            /^SEALWRIGHT_NATS_URL: NATS cannot be reached \(.*\)\. Workers poll Postgres in the meantime\.$/,
          ),
        },
      },
    },
  })
  const server = await startNatsServer({ dataDir: path.join(folder, 'nats'), port })
  endings.defer(() => server.stop())
  await expect.poll(relay.ready, PATIENCE).toEqual(allWell)
  const waiting = () => database.owner`select from outbox where published_at is null`
  await expect.poll(waiting, PATIENCE).toHaveLength(0)
  expect(relay.logged('nats.unavailable').length).toBeLessThanOrEqual(2)
  expect(relay.logged('loop.failed')).toEqual([])
  expect(await relay.stop()).toBe(0)
})

test.concurrent('a sealing worker starts without its store, reports it, and continues when it is up', async ({ expect }) => {
  const front = tcpFront(await freePort(), Number(new URL(valid['SEALWRIGHT_S3_ENDPOINT'] ?? '').port))
  const worker = await start(['workers/main.ts', 'seal'], { SEALWRIGHT_S3_ENDPOINT: `http://127.0.0.1:${front.port}` })
  const storage = { ok: false, error: 'SEALWRIGHT_S3_ENDPOINT cannot be reached (ECONNREFUSED).' }
  await expect.poll(worker.ready, PATIENCE).toMatchObject({ status: 200, body: { status: 'degraded', checks: { storage } } })
  expect(worker.logged('storage.unavailable')).toEqual([expect.objectContaining({ reason: storage.error })])
  await front.open()
  await expect.poll(worker.ready, PATIENCE).toEqual(allWell)
  expect(worker.logged('storage.unavailable.resolved')).toHaveLength(1)
  expect(await worker.stop()).toBe(0)
  await front.close()
})

test.concurrent.for(['relay', 'mail'])('a worker with the role %s needs no store', async (role, { expect }) => {
  const unfit = { SEALWRIGHT_S3_BUCKET: 'absent', SEALWRIGHT_S3_SECRET_ACCESS_KEY: 'wrong' }
  const worker = await start(['workers/main.ts', role], { ...unfit, SEALWRIGHT_DATA_DIR: path.join(folder, `storeless-${role}`) })
  await expect.poll(worker.ready, PATIENCE).toEqual(allWell)
  expect((await worker.ready())?.body).not.toHaveProperty('checks.storage')
  expect(await worker.stop()).toBe(0)
})

test.concurrent('a store with a certificate of a private authority is trusted when its file is configured', async ({
  expect,
}) => {
  const own = await mkdtemp(path.join(folder, 'tls-'))
  const tls = await startTlsFront(valid['SEALWRIGHT_S3_ENDPOINT'] ?? '', own)
  const controller = await start(['controller/main.ts'], {
    SEALWRIGHT_S3_ENDPOINT: tls.url,
    SEALWRIGHT_S3_CA_FILE: tls.caFile,
  })
  await expect.poll(controller.ready, PATIENCE).toEqual(allWell)
  expect(await controller.stop()).toBe(0)
  await tls.close()
})

test.concurrent('a mail worker starts without its server, reports it, and sends when it is up', async ({ expect }) => {
  const port = await freePort()
  const mail = await start(['workers/main.ts', 'mail'], {
    SEALWRIGHT_MAIL_KEEP: 'false',
    SEALWRIGHT_SMTP_URL: `smtp://127.0.0.1:${port}`,
  })
  const smtp = {
    ok: false,
    error: expect.stringMatching(/^SEALWRIGHT_SMTP_URL: the server does not accept emails \(.*ECONNREFUSED/),
  }
  await expect.poll(mail.ready, PATIENCE).toMatchObject({ status: 200, body: { status: 'degraded', checks: { smtp } } })
  expect(await (await fetch(`${mail.metricsUrl}/metrics`)).text()).toContain('sealwright_check_ok{check="smtp"} 0')
  expect(mail.logged('mail.unavailable')).toHaveLength(1)
  const sink = await startSmtpSink({}, port)
  endings.defer(() => sink.close())
  await expect.poll(mail.ready, PATIENCE).toEqual(allWell)
  expect(mail.logged('mail.unavailable.resolved')).toHaveLength(1)
  expect(await mail.stop()).toBe(0)
})

test.concurrent('a mail server that rejects the password is reported, without the password', async ({ expect }) => {
  let password = 'changed'
  const sink = await startSmtpSink({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: 'sealwright' }) : done(smtpReply(535, 'Authentication failed')),
  })
  endings.defer(() => sink.close())
  const mail = await start(['workers/main.ts', 'mail'], {
    SEALWRIGHT_MAIL_KEEP: 'false',
    SEALWRIGHT_SMTP_URL: `smtp://sealwright:hush-hush@127.0.0.1:${sink.port}`,
  })
  const smtp = { ok: false, error: expect.stringMatching(/^SEALWRIGHT_SMTP_URL: the server does not accept emails \(.*535/) }
  await expect.poll(mail.ready, PATIENCE).toMatchObject({ status: 200, body: { status: 'degraded', checks: { smtp } } })
  password = 'hush-hush'
  await expect.poll(mail.ready, PATIENCE).toEqual(allWell)
  expect(JSON.stringify(mail.log())).not.toContain('hush')
  expect(await mail.stop()).toBe(0)
})
