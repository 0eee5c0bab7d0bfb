// A process's metrics: correct queue figures, and no label that grows with the customers or identifies a person.
import '#core/platform/metrics/controller-metrics.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { workDuration } from '#core/platform/metrics/metrics.ts'
import { WORK_KINDS } from '#core/work-kinds.ts'
import { newCostMeter } from '#core/work/measure-costs.ts'
import { readFile } from 'node:fs/promises'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { measureQueues } from '#core/work/measure-queues.ts'
import { type Checks, optional, required, runChecks } from '#core/platform/process/health-checks.ts'
import { coreChecks } from '#core/installation/health-checks.ts'
import { inTransaction, openDatabase } from '#core/platform/postgres/client.ts'
import { startStatusServer } from '#core/platform/process/status-server.ts'
import { register } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measureKeys } from '#core/signing-key/measure-keys.ts'
import { listSigningKeys } from '#core/signing-key/list-signing-keys.ts'
import { freePort } from '../../hack/servers/free-port.ts'
import { ADA, aSentEnvelope } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { type TestService, testService } from '../support/servers/test-service.ts'

let service: TestService
let url: string
let ending: AsyncDisposableStack
let starting: { status: number; body: unknown }
let missing: Checks = {}

async function probe() {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, body: await response.json() }
}

beforeAll(async () => {
  ending = new AsyncDisposableStack()
  service = ending.use(await testService())
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const status = ending.use(await startStatusServer({ host: '127.0.0.1', metricsPort: port }, service.system.log))
  starting = await probe()
  status.show({
    ready: () => ({
      ...coreChecks(service.system, { changes: required }),
      nats: optional(() => Promise.reject(new Error('NATS is away'))),
      ...missing,
    }),
    measure: async () => void (await Promise.all([measureQueues(service.system, WORK_KINDS), measureKeys(service.system)])),
  })
})
afterAll(() => ending.disposeAsync())

const scrape = async () => (await fetch(`${url}/metrics`)).text()
/** The value of the line with this prefix. */
async function valueOf(start: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${start} `))
  return line === undefined ? undefined : Number(line.slice(start.length))
}

/** A pool whose only connection is in a transaction until it is released. */
async function aBusyPool() {
  const pool = openDatabase({ url: service.database.url, pool: 1, role: 'sealwright_system' })
  ending.defer(() => pool.end())
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = inTransaction(pool, async () => {
    reached.resolve()
    await goOn.promise
  })
  await reached.promise
  const free = (): Promise<void> => {
    goOn.resolve()
    return held
  }
  return { pool, free }
}

// requirements: running/starting/metrics, running/settings/log level, metrics port
describe('metrics', () => {
  test('show waiting jobs, their age, and outcomes', async () => {
    const { tokens } = await aSentEnvelope(service.client)
    for (const { token } of tokens) await signAs(service, token)
    expect(await valueOf('sealwright_work_waiting{kind="seal"}')).toBe(1)
    await service.database.moveClock(90)
    const age = await valueOf('sealwright_work_oldest_age_seconds{kind="seal"}')
    expect(age).toBeGreaterThanOrEqual(90)
    expect(age).toBeLessThan(120)
    await service.sealEnvelopes()
    expect(await valueOf('sealwright_work_waiting{kind="seal"}')).toBe(0)
    expect(await valueOf('sealwright_work_oldest_age_seconds{kind="seal"}')).toBe(0)
    expect(await valueOf('sealwright_work_attempts_total{kind="seal",outcome="done"}')).toBe(1)
    expect(await valueOf('sealwright_work_delay_seconds_count{kind="seal"}')).toBe(1)
    expect(await valueOf('sealwright_object_store_duration_seconds_count{operation="put",outcome="ok"}')).toBeGreaterThan(0)
    for (const stage of ['read', 'seal', 'store', 'record'])
      expect(await valueOf(`sealwright_seal_stage_duration_seconds_count{stage="${stage}"}`), stage).toBe(1)
  })

  test('show autoscalers how long one worker needs for the due jobs, by what done ones have cost', async () => {
    const seconds = async () => Number((await valueOf('sealwright_work_waiting_seconds{role="seal"}'))?.toFixed(6))
    const meter = newCostMeter(service.system, SEAL_WORK, 4)
    const measured = async (jobs: number, outcome: 'done' | 'failed', each: number) => {
      for (let job = 0; job < jobs; job++) workDuration.observe({ kind: 'seal', outcome }, each)
      await meter.record()
    }
    await meter.record()
    await service.database.owner`delete from work_costs`
    await service.database.owner`update audit_reports set state = 'DROPPED'`
    for (let envelope = 0; envelope < 3; envelope++) {
      const { tokens } = await aSentEnvelope(service.client, { signers: [ADA] })
      await signAs(service, tokens[0]!.token)
    }
    expect(await seconds()).toBe(0.15)
    await measured(100, 'done', 2.2)
    expect(await seconds()).toBe(0.9)
    await measured(200, 'done', 1.2)
    expect(await seconds()).toBe(0.9)
    await measured(100, 'failed', 30)
    expect(await seconds()).toBe(0.9)
    await service.database.owner`
      update seal_jobs set due_at = sealwright_now() + interval '1 hour'
      where envelope_id = (select envelope_id from seal_jobs where state = 'WAITING' limit 1)`
    expect(await seconds()).toBe(0.6)
    await service.database.owner`update seal_jobs set due_at = sealwright_now()`
    await service.sealEnvelopes()
    await service.makeReports()
    expect(await seconds()).toBe(0)
  })

  test("show the sealing certificate's end of validity", async () => {
    const [key] = await listSigningKeys(service.api, service.organisation.orgId)
    expect(await valueOf('sealwright_signing_certificate_not_after_timestamp_seconds')).toBe(key!.notAfter.getTime() / 1000)
    const left = 'sealwright_signing_key_expiry_seconds{key="installation"}'
    const end = (key!.notAfter.getTime() - (await databaseNow(service.database.system)).getTime()) / 1000
    expect(Math.abs((await valueOf(left))! - end)).toBeLessThan(10)
    await service.database.moveClock(4 * 365 * 86_400)
    expect(await valueOf(left)).toBeLessThan(0)
    await service.database.moveClock(0)
  })

  test('show open transactions and those waiting for a connection', async () => {
    const { pool, free } = await aBusyPool()
    const second = inTransaction(pool, (sql) => sql`select 1`)
    expect(await valueOf('sealwright_postgres_transactions{state="open"}')).toBe(1)
    expect(await valueOf('sealwright_postgres_transactions{state="waiting"}')).toBe(1)
    await Promise.all([free(), second])
    expect(await valueOf('sealwright_postgres_transactions{state="open"}')).toBe(0)
    expect(await valueOf('sealwright_postgres_transactions{state="waiting"}')).toBe(0)
  })

  test("and probes are answered while all of the process's connections are busy", async () => {
    const { pool, free } = await aBusyPool()
    const report = await runChecks(coreChecks({ ...service.system, database: pool }, { changes: required }))
    await free()
    expect(report).toMatchObject({ status: 'ok', checks: { database: { ok: true }, changes: { ok: true } } })
  })

  test('count requests by route pattern, for any path', async () => {
    for (let n = 0; n < 50; n++) {
      await service.client.get(`/api/v1/envelopes/${crypto.randomUUID()}`)
      await service.client.get(`/nowhere/${n}`)
      await fetch(`${service.url}/api/v1/sign/${'x'.repeat(42)}${n % 10}`)
    }
    const routes = (await scrape()).matchAll(/sealwright_http_request_duration_seconds_count\{[^}]*route="([^"]*)"/g)
    const names = new Set(Array.from(routes, ([, route]) => route))
    expect(names).toContain('/api/v1/envelopes/:id')
    expect(names).toContain('none')
    expect([...names].filter((name) => /[0-9a-f-]{36}|x{10}|nowhere/.test(name ?? ''))).toEqual([])
  })

  test('have no label with a person or an id, and few values', async () => {
    const text = await scrape()
    expect(text).not.toMatch(/@example|[0-9a-f]{8}-[0-9a-f]{4}-/)
    const ours = text.split('\n').filter((line) => line.startsWith('sealwright_'))
    expect(ours.length).toBeLessThan(700)
  })

  test("are exactly those of the operators' table", async () => {
    const documented = (await readFile('docs/metrics.md', 'utf8')).matchAll(/^\| `(sealwright_[a-z_]+)`/gm)
    const defined = register.getMetricsAsArray().map(({ name }) => name)
    const ours = defined.filter((name) => name.startsWith('sealwright_'))
    expect(new Set(Array.from(documented, ([, name]) => name))).toEqual(new Set(ours))
  })

  test('are served without the database', async () => {
    await service.database.owner`alter table outbox rename to outbox_away`
    const text = await scrape()
    await service.database.owner`alter table outbox_away rename to outbox`
    expect(text).toContain('sealwright_work_attempts_total')
    expect(await service.readLog()).toContain('metrics.incomplete')
  })

  test('are served in time while the database does not answer, without stale values', async () => {
    expect(await valueOf('sealwright_work_waiting{kind="seal"}')).toBe(0)
    const startedAt = performance.now()
    const text = await service.database.owner.begin(async (sql) => {
      await sql`lock table outbox`
      return scrape()
    })
    // Below Prometheus' time-out.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(text).toContain('sealwright_work_attempts_total{')
    expect(text).not.toMatch(/^sealwright_work_(waiting|dead_lettered|oldest_age_seconds)\{/m)
    expect(await valueOf('sealwright_work_waiting{kind="seal"}')).toBe(0)
  })
})

// requirements: running/starting/health
describe('probes', () => {
  const well = { database: { ok: true }, changes: { ok: true }, storage: { ok: true } }
  const nats = { ok: false, error: 'NATS is away' }

  test('answer from the start that the process is starting', () => {
    expect(starting).toEqual({
      status: 503,
      body: { status: 'unavailable', checks: { start: { ok: false, error: 'still starting' } } },
    })
  })

  test('name a missing dependency, and keep a process ready that can work without it', async () => {
    expect(await probe()).toEqual({ status: 200, body: { status: 'degraded', checks: { ...well, nats } } })
    expect(await valueOf('sealwright_check_ok{check="nats"}')).toBe(0)
    expect(await valueOf('sealwright_check_ok{check="database"}')).toBe(1)
  })

  test('take a process out of service that cannot', async () => {
    missing = { seal: required(() => Promise.reject(new Error('no key'))) }
    const seal = { ok: false, error: 'no key' }
    expect(await probe()).toEqual({ status: 503, body: { status: 'unavailable', checks: { ...well, nats, seal } } })
    missing = {}
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404)
  })
})
