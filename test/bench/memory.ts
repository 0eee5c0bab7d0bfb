// The memory of `npm start` over 10,000 envelopes, from upload to stored seal: resident memory of the service, without its Postgres.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { accessToken } from '../support/clients/api-client.ts'
import { startService } from '../support/servers/running-service.ts'
import { ceremonyLoad } from './ceremony-load.ts'
import { residentMiB } from './process-usage.ts'
import { runAll } from './run-all.ts'
import type { BenchTable } from './run.ts'
import { UNLIMITED } from './unlimited.ts'

/** Fewer for a quick run: SEALWRIGHT_BENCH_SHARE=0.1. */
const ENVELOPES = Math.round(10_000 * Number(process.env['SEALWRIGHT_BENCH_SHARE'] ?? 1))
// The service inherits the environment, and accepts no unknown setting.
delete process.env['SEALWRIGHT_BENCH_SHARE']
const SAMPLES = 20
/** Few at a time: the queue of seals stays short, so that it does not count as memory. */
const AT_ONCE = 4
const GOAL_MIB = 450
/** Of the last half; what a garbage collection leaves varies by about this much. */
const GOAL_GROWTH_MIB = 20
/** A third of its life. */
const TOKEN_MS = 100_000
const DOCUMENTS = [
  'reportlab',
  'libreoffice',
  'chromium',
  'cairo',
  'pdfbox',
  'weasyprint',
  'xelatex',
  'pdflatex',
  'ghostscript',
  'jspdf',
]

export async function run(): Promise<BenchTable[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const service = await startService(dataDir, UNLIMITED)
  stack.defer(async () => void (await service.stop()))
  const database = openDatabase({ url: service.databaseUrl, pool: 1 })
  stack.defer(() => database.end({ timeout: 5 }))
  const { baseUrl, pid } = service.dev
  const pdfs = await Promise.all(DOCUMENTS.map((name) => readFile(pdfFixture(`${name}.pdf`))))
  const ceremonies = renewed(TOKEN_MS, async () => {
    const token = await accessToken(baseUrl, service.dev)
    return pdfs.map((pdf) => ceremonyLoad(baseUrl, token, pdf))
  })
  const resident = [await residentMiB(pid)]
  for (let sample = 0; sample < SAMPLES; sample++) {
    const count = Math.round(ENVELOPES / SAMPLES)
    await runAll({ count, atOnce: AT_ONCE, work: async (index) => (await ceremonies())[index % pdfs.length]!() })
    await untilSealed(database)
    resident.push(await residentMiB(pid))
    console.error(`${Math.round(((sample + 1) * ENVELOPES) / SAMPLES)} ${resident.at(-1)!.toFixed(0)} MiB`)
  }
  return [table(resident)]
}

/** Renews the value when it is older: a run takes longer than a token lives. */
function renewed<Value>(afterMs: number, make: () => Promise<Value>): () => Promise<Value> {
  let current: { value: Promise<Value>; until: number } | undefined
  return () => {
    if (!current || performance.now() > current.until) current = { value: make(), until: performance.now() + afterMs }
    return current.value
  }
}

/** Until every copy is stored and every email is kept. */
async function untilSealed(database: Database): Promise<void> {
  for (;;) {
    const [row] = await database<{ left: number }[]>`
      select (select count(*) from seal_jobs where state = 'WAITING')::int + (select count(*) from mails where state = 'WAITING')::int as left`
    if (row!.left === 0) return
    await delay(50)
  }
}

function table(resident: readonly number[]): BenchTable {
  const half = resident.at(SAMPLES / 2)!
  const last = resident.at(-1)!
  const most = Math.max(...resident)
  return {
    title: `Resident memory of npm start without Postgres over ${ENVELOPES} envelopes, ${AT_ONCE} at a time, MiB`,
    columns: ['envelopes', 'MiB'],
    rows: resident.map((each, sample) => [String(Math.round((sample * ENVELOPES) / SAMPLES)), each]),
    goal: {
      text: `at most ${most.toFixed(0)} MiB < ${GOAL_MIB} MiB, last half adds ${(last - half).toFixed(0)} MiB < ${GOAL_GROWTH_MIB} MiB`,
      met: most < GOAL_MIB && last - half < GOAL_GROWTH_MIB,
    },
  }
}
