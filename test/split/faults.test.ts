// Faults within the tiers while envelopes are processed: processes are killed, clocks jump, sealing threads hang and exhaust memory; the
// invariants must hold.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../../hack/servers/free-port.ts'
import { newProgress, walk } from '../support/clients/crash-walk.ts'
import { type FaultWorld, PROCESSES, startFaultWorld } from '../support/faults/fault-world.ts'
import { assertInvariants } from '../support/invariants/invariants.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'

const run = promisify(execFile)
const HOUR_MS = 3_600_000
/** The seal worker's metrics port: it is the fourth process of the split run. */
const SEAL_PORT_OFFSET = 3
const POLL = { timeout: 60_000, interval: 100 }

let folder: string
let clocks: string
let misbehaving: string
let metricsPort: number
let world: FaultWorld

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-faults-'))
  clocks = path.join(folder, 'clocks.json')
  misbehaving = path.join(folder, 'misbehaving')
  await writeFile(clocks, '{}')
  metricsPort = await freePorts(PROCESSES.length)
  world = await startFaultWorld({ SEALWRIGHT_METRICS_PORT: String(metricsPort), SEALWRIGHT_SEAL_TIMEOUT: '3s' }, [
    preload('skewed-clock.ts', { file: clocks }),
    preload('misbehaving-seals.ts', { folder: misbehaving }),
  ])
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

function preload(module: string, parameters: Record<string, string>): string {
  const url = new URL(`../support/faults/${module}`, import.meta.url)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return `--import=${url.href}`
}

describe('killed outright and started again', () => {
  test('each process in turn', async () => {
    await world.survive(8_000, async () => {
      for (const name of PROCESSES) {
        await world.service.kill(name)
        await delay(1_000)
      }
    })
  })

  test('all at once', async () => {
    await world.survive(4_000, async () => {
      await Promise.all(PROCESSES.map((name) => world.service.kill(name)))
    })
  })
})

describe('clocks', () => {
  test.each([1, -1])('jump by an hour, differently in every process (%i)', async (sign) => {
    const skews = { api: sign, relay: -sign, seal: -sign, mail: sign, deliver: -sign, controller: -sign }
    await world.survive(5_000, async () => {
      const hours = await Promise.all(PROCESSES.map(async (name) => [await world.service.pid(name), skews[name]] as const))
      await writeFile(`${clocks}.new`, JSON.stringify(Object.fromEntries(hours)))
      await rename(`${clocks}.new`, clocks)
      await delay(1_000)
    })
    expect([await clockOfApi(), await clockOfSeals()]).toEqual([skews.api, skews.seal])
    // It logs nothing that shows its clock. The times of its signatures were compared with those of their arrival.
    expect(JSON.parse(await readFile(clocks, 'utf8'))[await world.service.pid('deliver')]).toBe(skews.deliver)
    const [row] = await world.sql`
      select count(*)::int as count
      from (select at from audit_events union all select signed_at from signatures union all select sealed_at from sealed_documents) times
      where at not between now() - interval '10 minutes' and now()`
    expect(row, 'times that are not those of the database').toEqual({ count: 0 })
  })

  afterAll(() => writeFile(clocks, '{}'))
})

const hoursOff = (time: string | number) => Math.round((new Date(time).getTime() - Date.now()) / HOUR_MS)

async function clockOfApi(): Promise<number> {
  const { timestamp }: { timestamp: string } = JSON.parse(await (await fetch(`${world.dev.baseUrl}/api/v1/nothing`)).text())
  return hoursOff(timestamp)
}

/** By the last line of its log. */
async function clockOfSeals(): Promise<number> {
  const { time }: { time: string } = JSON.parse((await world.service.log('seal')).trimEnd().split('\n').at(-1) ?? '')
  return hoursOff(time)
}

describe('sealing threads', () => {
  const fixtures = { hang: 'cairo.pdf', hoard: 'weasyprint.pdf' }
  const poisoned = { hang: newProgress(1), hoard: newProgress(2) }
  const ids = () => Object.values(poisoned).map(({ envelopeId }) => envelopeId ?? '')
  const stateOfPoisoned = () => world.sql`
    select state, attempts, last_error from seal_jobs where envelope_id = any(${ids()}::uuid[])`

  test('that hang and exhaust memory are replaced, and all other envelopes are sealed meanwhile', async () => {
    await world.survive(6_000, async () => {
      for (const [behaviour, fixture] of Object.entries(fixtures)) await misbehave(behaviour, fixture)
      await Promise.all([bring('hang'), bring('hoard')])
      const failed = async () => (await stateOfPoisoned()).filter((row) => row['last_error'] !== null).length
      await expect.poll(failed, POLL).toBe(2)
    })
  })

  test('that fail three times get their envelope dead-lettered, with error and metric', async () => {
    await expect.poll(countDeadLetters, POLL).toBe(2)
    const error = 'Sealing took longer than 3 s, more than 256 MiB of heap or more than 512 MiB of buffers.'
    expect(await stateOfPoisoned()).toEqual(Array.from({ length: 2 }, () => ({ state: 'DEAD', attempts: 3, last_error: error })))
    const stuck = JSON.parse(await sealwright('seal', 'status', '--stuck', '--json'))
    const row = { state: 'stuck', attempts: 3, lastError: error }
    expect(stuck).toEqual(expect.arrayContaining(ids().map((envelopeId) => expect.objectContaining({ ...row, envelopeId }))))
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort + SEAL_PORT_OFFSET}/metrics`)).text()
    // More on a machine that is so busy that another seal takes too long.
    expect(
      Number(/^sealwright_thread_pool_tasks_total\{pool="sealing",outcome="lost"\} (\d+)$/m.exec(metrics)?.[1]),
    ).toBeGreaterThanOrEqual(6)
    expect(metrics).toMatch(/^sealwright_work_attempts_total\{kind="seal",outcome="dead_lettered"\} 2$/m)
    expect(metrics).toMatch(/^sealwright_work_dead_lettered\{kind="seal"\} 2$/m)
  })

  test('that work again seal dead-lettered envelopes after a retry', async () => {
    await rm(misbehaving, { recursive: true })
    for (const id of ids()) await sealwright('seal', 'retry', '--envelope', id)
    await assertInvariants(world.service.databaseUrl, Object.values(poisoned), 60_000)
    expect(JSON.parse(await sealwright('seal', 'status', '--stuck', '--json'))).toEqual([])
  })

  async function misbehave(behaviour: string, fixture: string): Promise<void> {
    const sha256 = createHash('sha256').update(await readFile(pdfFixture(fixture)))
    await mkdir(misbehaving, { recursive: true })
    await writeFile(path.join(misbehaving, sha256.digest('hex')), behaviour)
  }

  /** To its last signature. */
  async function bring(name: 'hang' | 'hoard'): Promise<void> {
    await walk(world.dev, await readFile(pdfFixture(fixtures[name])), poisoned[name])
  }

  /** The number of dead letters; the pauses between attempts are skipped. */
  async function countDeadLetters(): Promise<number> {
    await world.sql`
      update seal_jobs set due_at = sealwright_now()
      where state = 'WAITING' and last_error is not null and due_at > sealwright_now()`
    return (await stateOfPoisoned()).filter((row) => row['state'] === 'DEAD').length
  }

  async function sealwright(...args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], SEALWRIGHT_DATA_DIR: world.service.dataDir }
    return (await run(process.execPath, ['api/cli/main.ts', ...args], { env })).stdout
  }
})

test('no process logged a token, a code or a document', () => world.assertNothingLeaked())

test('each process signed in to Postgres with the user of its component, so that all of this needed no more rights', async () => {
  const database = openDatabase({ url: world.service.databaseUrl, pool: 1 })
  const rows = await database<{ user: string }[]>`
    select distinct usename as user from pg_stat_activity where application_name in ('sealwright_api', 'sealwright_system')`
  await database.end({ timeout: 5 })
  const users = ['api', 'controller', 'relay', 'worker'].map((each) => `sealwright_login_${each}`)
  expect(rows.map(({ user }) => user).toSorted()).toEqual(users)
  for (const name of PROCESSES) expect(await world.service.log(name), name).not.toContain('database.user_owns_tables')
})
