// What one envelope costs from upload to sealed copy, audit report and emails, each tier as a process on real servers: processor time by process, and what
// Postgres, NATS and the object store do for it. docs/scale.md multiplies these.
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { accessToken } from '../support/clients/api-client.ts'
import { ceremonyLoad } from './ceremony-load.ts'
import { describeMoment } from './machine.ts'
import { SEAL_ROLE } from './pipeline-drain.ts'
import { type PipelineSystem, startPipelineSystem, type TierProcess } from './pipeline-system.ts'
import { SEAL_WORKER, startCounting } from './pipeline-usage.ts'
import { runAll } from './run-all.ts'
import type { BenchTable } from './run.ts'

/** Fewer for a quick run: SEALWRIGHT_BENCH_SHARE=0.1. */
const ENVELOPES = Math.round(1_000 * Number(process.env['SEALWRIGHT_BENCH_SHARE'] ?? 1))
const WARM_UP = Math.round(ENVELOPES / 2)
const AT_ONCE = 4
const DOCUMENT = 'libreoffice.pdf'

export async function run(): Promise<BenchTable[]> {
  await using system = await startPipelineSystem()
  const api = await system.start('API', ['api/main.ts'])
  await system.start('relay', ['workers/main.ts', 'relay'])
  await system.start('mail worker', ['workers/main.ts', 'mail'])
  await system.start('controller', ['controller/main.ts'])
  const worker = await system.start(SEAL_WORKER, SEAL_ROLE)
  const pdf = await readFile(pdfFixture(DOCUMENT))
  const sign = async (count: number): Promise<void> => {
    const ceremony = ceremonyLoad(system.baseUrl, await accessToken(system.baseUrl, system.organisation), pdf)
    await runAll({ count, atOnce: AT_ONCE, work: ceremony })
    await untilDone(system)
  }
  await sign(WARM_UP)
  const about = await describeMoment(system.owner)
  const sizeBefore = await lastingKb(system)
  const before = await usageOf(system, [api, worker])
  const spentSince = await startCounting(system)
  await sign(ENVELOPES)
  const { cpuMs } = await spentSince()
  const after = await usageOf(system, [api, worker])
  const size = ((await lastingKb(system)) - sizeBefore) / ENVELOPES
  return [
    {
      title: `One envelope with one signer and a document of ${pdf.length} bytes, mean of ${ENVELOPES}\n${about}`,
      columns: ['', 'per envelope'],
      rows: [
        ...Array.from(cpuMs, ([name, ms]) => [`CPU ms, ${name}`, ms / ENVELOPES]),
        ['CPU ms, all', [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0) / ENVELOPES],
        ...Array.from(after, ([name, value]) => [name, (value - (before.get(name) ?? 0)) / ENVELOPES]),
        ['Postgres: size, kB', size],
      ],
    },
  ]
}

async function untilDone({ owner }: PipelineSystem): Promise<void> {
  for (;;) {
    const [row] = await owner<{ left: number }[]>`
      select ((select count(*) from seal_jobs where state = 'WAITING') + (select count(*) from mails where state = 'WAITING')
        + (select count(*) from audit_reports where state = 'WAITING') + (select count(*) from outbox where published_at is null))::int as left`
    if (row!.left === 0) return
    await delay(200)
  }
}

/** Without what updates and deletions left behind, which later rows use. */
async function lastingKb({ owner }: PipelineSystem): Promise<number> {
  await owner`vacuum full`
  const [row] = await owner<{ size: number }[]>`select pg_database_size(current_database())::float8 as size`
  return row!.size / 1000
}

/** Totals so far. */
async function usageOf({ owner }: PipelineSystem, withStore: readonly TierProcess[]): Promise<Map<string, number>> {
  const [row] = await owner<{ statements: number; commits: number; wal: number; messages: number }[]>`
    select (select sum(calls) from pg_stat_statements)::float8 as statements,
      (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits,
      (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as wal,
      coalesce((select max(id) from outbox), 0)::float8 as messages`
  const texts = await Promise.all(withStore.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()))
  const requests = texts.flatMap((text) => [...text.matchAll(/^sealwright_object_store_duration_seconds_count\{.*\} (\d+)$/gm)])
  return new Map([
    ['Postgres: statements', row!.statements],
    ['Postgres: transactions', row!.commits],
    ['Postgres: log (WAL), kB', row!.wal / 1000],
    ['NATS: notifications', row!.messages],
    ['object store: requests', requests.reduce((sum, [, count]) => sum + Number(count), 0)],
  ])
}
