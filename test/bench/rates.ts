// The cost of counting a request against a shared rate limit, for each way of counting: CPU time of the serving thread and of Postgres, and
// round trips. Baseline: Express and the driver reading one row, counting nothing.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import { openBucketCache } from '#core/account/rate/bucket-cache.ts'
import { quotaRate } from '#core/account/rate/rules.ts'
import { takeTokens } from '#core/account/rate/store.ts'
import express from 'express'
import { serve } from '../../api/serve.ts'
import { startPostgres } from '../../hack/servers/postgres.ts'
import type { BenchTable } from './run.ts'

const ROUNDS = 5
const REQUESTS = 1_500
const IN_FLIGHT = 8
const MANY = 1_000
const GOAL = 1.1
/** High enough that nothing is rejected. */
const RATE = quotaRate('requests', 1_000_000)

/** Counts one request; `index` distinguishes requests. */
type Count = (index: number) => Promise<unknown>

interface Cost {
  nodeMicros: number
  postgresMicros: number
}

export async function run(): Promise<BenchTable[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-'))
  const server = await startPostgres({
    dataDir: path.join(folder, 'data'),
    password: randomUUID(),
    durable: true,
    persistent: true,
  })
  const url = `${server.url}/postgres`
  await migrate(url)
  const owner = openDatabase({ url, pool: 1 })
  await owner`create table logged_rates (key text primary key, used bigint not null) with (fillfactor = 50)`
  await owner`create unlogged table unlogged_rates (key text primary key, used bigint not null) with (fillfactor = 50)`
  const database = openDatabase({ url, pool: IN_FLIGHT })
  const load = new Worker(new URL('request-load.ts', import.meta.url))
  try {
    const ways = waysOf(database)
    const costs = new Map<string, Cost[]>(ways.map(([name]) => [name, []]))
    for (let round = -1; round < ROUNDS; round++)
      for (const [name, count] of ways) {
        const cost = await measure(database, load, server.pid, count)
        if (round >= 0) costs.get(name)?.push(cost)
      }
    return [table(costs)]
  } finally {
    await load.terminate()
    await database.end({ timeout: 5 })
    await owner.end({ timeout: 5 })
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const CHOSEN = 'lots of permits, one organisation'

function waysOf(database: Database): [string, Count][] {
  const cache = openBucketCache(database)
  const add = (table: string, key: string) => database`
    insert into ${database(table)} as r (key, used) values (${key}, 1) on conflict (key) do update set used = r.used + 1 returning used`
  return [
    ['no counting', async () => {}],
    ['one update a request, logged table', () => add('logged_rates', 'one')],
    ['one update a request, unlogged table', () => add('unlogged_rates', 'one')],
    ['one bucket statement a request', () => takeTokens(database, { rate: RATE, subject: 'one', wanted: 1, returned: 0 })],
    [CHOSEN, () => cache.take({ rate: RATE, subject: 'two' })],
    [
      `lots of permits, ${MANY} organisations in turn`,
      (index) => cache.take({ rate: RATE, subject: `one of many ${index % MANY}` }),
    ],
  ]
}

async function measure(database: Database, load: Worker, postgresPid: number, count: Count): Promise<Cost> {
  const app = express()
  let index = 0
  app.get('/', async (_request, response) => {
    await count(index++)
    const [row] = await database`select name, applied_at from migrations where version = 1`
    response.json(row)
  })
  const server = await serve(app, '127.0.0.1', 0)
  const [node, postgres] = [process.threadCpuUsage(), await cpuMicrosOfTree(postgresPid)]
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  load.postMessage({ url: `http://127.0.0.1:${server.port}/`, requests: REQUESTS, inFlight: IN_FLIGHT })
  await once(load, 'message')
  const { user, system } = process.threadCpuUsage(node)
  const cost = {
    nodeMicros: (user + system) / REQUESTS,
    postgresMicros: ((await cpuMicrosOfTree(postgresPid)) - postgres) / REQUESTS,
  }
  await server.close(0)
  return cost
}

/** User and system time of the server and its open connections, in ticks of 10 ms. */
async function cpuMicrosOfTree(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid), '-p', String(pid)])
  const pids = stdout.trim().split(/\s+/)
  const stats = await Promise.all(pids.map((each) => readFile(`/proc/${each}/stat`, 'utf8').catch(() => '')))
  const ticks = stats.map((stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  })
  return ticks.reduce((sum, each) => sum + each, 0) * 10_000
}

function table(costs: ReadonlyMap<string, readonly Cost[]>): BenchTable {
  const medians = [...costs].map(([name, rounds]) => ({
    name,
    node: median(rounds.map(({ nodeMicros }) => nodeMicros)),
    postgres: median(rounds.map(({ postgresMicros }) => postgresMicros)),
  }))
  const baseline = medians[0]!
  const chosen = medians.find(({ name }) => name === CHOSEN)!
  const ratio = chosen.node / baseline.node
  return {
    title: 'Counting a request: processor time of a request, microseconds (baseline: one row read, nothing counted)',
    columns: ['way', 'server', 'ratio', 'Postgres', 'ratio'],
    rows: medians.map(({ name, node, postgres }) => [name, node, node / baseline.node, postgres, postgres / baseline.postgres]),
    goal: { text: `${CHOSEN}: ${ratio.toFixed(2)} <= ${GOAL} of the baseline`, met: ratio <= GOAL },
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0
}
