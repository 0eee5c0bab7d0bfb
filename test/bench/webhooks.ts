// Deliveries to 20 webhooks of an organisation: how long they wait from the commit of an event, alone, beside two webhooks that let every request time out and
// one that refuses connections, and with a long queue to a dead one; CPU time against a bare client; memory over many deliveries.
import { arrive } from './arrivals.ts'
import { describeMoment } from './machine.ts'
import { cpuMs, residentMiB } from './process-usage.ts'
import type { BenchTable } from './run.ts'
import { addWebhook, bareCpuMs, commitEvents, startWebhookSystem, untilLeft, type WebhookSystem } from './webhook-system.ts'

/** Fewer for a small machine: SEALWRIGHT_BENCH_SHARE=0.1. Receiver, Postgres, relay and deliverer share its processors. */
const SHARE = Number(process.env['SEALWRIGHT_BENCH_SHARE'] ?? 1)
const share = (count: number) => Math.max(1, Math.round(count * SHARE))
const EVENTS_PER_SECOND = share(100)
const SECONDS = 30
const WARM_UP_SECONDS = 10
const HEALTHY = 20
const DEAD_QUEUE = share(20_000)
const DELIVERIES = share(50_000)
const GOAL_P99_MS = 1_000
const GOAL_RATIO = 1.2
const GOAL_CPU = 3
const GOAL_MIB = 20

export async function run(): Promise<BenchTable[]> {
  await using bench = await startWebhookSystem()
  for (let each = 0; each < HEALTHY; each++) await addWebhook(bench, `${bench.receiver.url}/ok/${each}`, 'envelope.sent')
  await latencies(bench, WARM_UP_SECONDS)
  const about = await describeMoment(bench.system.owner)
  const before = await cpuMs(bench.worker.pid)
  const alone = await latencies(bench, SECONDS)
  const steadyCpu = ((await cpuMs(bench.worker.pid)) - before) / alone.length
  const bare = await bareCpuMs(bench, share(20_000))
  const drained = await drain(bench)
  for (const url of [`${bench.receiver.url}/hang/1`, `${bench.receiver.url}/hang/2`, bench.closedUrl])
    await addWebhook(bench, url, 'envelope.sent')
  const beside = await latencies(bench, SECONDS)
  await addWebhook(bench, `${bench.receiver.url}/hang/queue`, 'signer.viewed')
  await commitEvents(bench, DEAD_QUEUE, 'signer.viewed')
  const queued = await latencies(bench, SECONDS)
  return [latencyTable({ about, alone, beside, queued }), cpuTable({ steadyCpu, bare, ...drained }), memoryTable(drained)]
}

/** Milliseconds from the commit of each event to its arrival at each healthy webhook, sorted. */
async function latencies(bench: WebhookSystem, seconds: number): Promise<number[]> {
  await bench.receiver.take()
  await arrive({ perSecond: EVENTS_PER_SECOND, seconds, work: () => commitEvents(bench, 1, 'envelope.sent') })
  await untilLeft(bench, '/ok/')
  const arrivals = (await bench.receiver.take()).filter(({ path }) => path.startsWith('/ok/'))
  const rows = await bench.system.owner<{ id: string; at: number }[]>`
    select id, 1000 * extract(epoch from pg_xact_commit_timestamp(xmin))::float8 as at from events`
  const commits = new Map(rows.map(({ id, at }) => [id, at]))
  const expected = EVENTS_PER_SECOND * seconds * HEALTHY
  if (arrivals.length < expected) throw new Error(`Only ${arrivals.length} of ${expected} deliveries arrived.`)
  return arrivals.map(({ eventId, at }) => at - commits.get(eventId)!).toSorted((a, b) => a - b)
}

interface Drained {
  cpu: number
  perSecond: number
  /** Resident MiB after each quarter. */
  resident: number[]
}

/** Commits many events at once and waits for the end of their deliveries. */
async function drain(bench: WebhookSystem): Promise<Drained> {
  const { pid } = bench.worker
  const events = Math.ceil(DELIVERIES / HEALTHY)
  const resident: number[] = []
  await commitEvents(bench, events, 'envelope.sent')
  const [before, startedAt] = [await cpuMs(pid), performance.now()]
  for (let quarter = 1; quarter <= 4; quarter++) {
    await untilLeft(bench, '/ok/', Math.round((events * HEALTHY * (4 - quarter)) / 4))
    resident.push(await residentMiB(pid))
  }
  const seconds = (performance.now() - startedAt) / 1000
  await bench.receiver.take()
  return { cpu: ((await cpuMs(pid)) - before) / (events * HEALTHY), perSecond: (events * HEALTHY) / seconds, resident }
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)]!

function latencyTable(figures: { about: string } & Record<'alone' | 'beside' | 'queued', number[]>): BenchTable {
  const { about, alone, beside, queued } = figures
  const ratio = Math.max(at(beside, 0.5), at(queued, 0.5)) / at(alone, 0.5)
  const p99 = at(alone, 0.99)
  const row = (name: string, sorted: readonly number[]) => [name, sorted.length, at(sorted, 0.5), at(sorted, 0.99)]
  return {
    title: `From the commit of an event to its arrival at ${HEALTHY} healthy webhooks, ms; ${EVENTS_PER_SECOND} events/s\n${about}`,
    columns: ['', 'deliveries', 'p50', 'p99'],
    rows: [
      row('healthy webhooks only', alone),
      row('and two that hang and one that refuses', beside),
      row(`and ${DEAD_QUEUE} deliveries waiting for one that hangs`, queued),
    ],
    goal: {
      text: `p99 without bad webhooks ${p99.toFixed(0)} ms < ${GOAL_P99_MS} ms, median with them ${ratio.toFixed(2)} times that without <= ${GOAL_RATIO}`,
      met: p99 < GOAL_P99_MS && ratio <= GOAL_RATIO,
    },
  }
}

function cpuTable({ steadyCpu, bare, cpu, perSecond }: Drained & { steadyCpu: number; bare: number }): BenchTable {
  return {
    title: `CPU time of the deliverer for a delivery, ms; ${perSecond.toFixed(0)} deliveries/s from a queue`,
    columns: ['', 'ms', 'of bare'],
    rows: [
      ['bare undici with HMAC, 16 at a time', bare, 1],
      ['from a queue', cpu, cpu / bare],
      [`${EVENTS_PER_SECOND} events/s, with polls and idle time`, steadyCpu, steadyCpu / bare],
    ],
    goal: { text: `from a queue ${(cpu / bare).toFixed(2)} times bare <= ${GOAL_CPU}`, met: cpu / bare <= GOAL_CPU },
  }
}

function memoryTable({ resident }: Drained): BenchTable {
  const growth = resident.at(-1)! - resident[1]!
  return {
    title: `Resident memory of the deliverer over ${DELIVERIES} deliveries, MiB`,
    columns: ['after', 'MiB'],
    rows: resident.map((each, index) => [`${(index + 1) * 25} %`, each]),
    goal: { text: `second half adds ${growth.toFixed(1)} MiB < ${GOAL_MIB} MiB`, met: growth < GOAL_MIB },
  }
}
