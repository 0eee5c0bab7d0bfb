// How long a read takes, by the clock and by the processor time of the server.
import { readFile } from 'node:fs/promises'
import type { Database } from '#core/platform/postgres/client.ts'

const ROUNDS = 200
/** A read that has taken this long altogether is measured well enough. */
const LONGEST_MS = 6_000

export interface Timing {
  p50: number
  p99: number
  /** Processor time of the server for the median call: what the clock would show on a machine that does nothing else. */
  cpu: number
  /** The same for the slowest in a hundred. */
  cpuP99: number
  rounds: number
}

export interface TimedOptions {
  warmUps?: number
  fewestRounds?: number
}

/** Of up to 200 calls, by the connections that served the warm-up. */
export async function timed(
  api: Database,
  work: (round: number) => Promise<unknown>,
  { warmUps = 10, fewestRounds = 20 }: TimedOptions = {},
): Promise<Timing> {
  const times: number[] = []
  const cpuTimes: number[] = []
  const [start] = await api<{ at: string }[]>`select clock_timestamp()::text as at`
  for (let warmUp = 0; warmUp < warmUps; warmUp++) await work(warmUp)
  // Single reads have a connection of their own, which the first of them has opened.
  const backends = await api<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and state_change >= ${start!.at}::timestamptz`
  const begin = performance.now()
  while (times.length < ROUNDS && (times.length < fewestRounds || performance.now() - begin < LONGEST_MS)) {
    const cpuBefore = await cpuMs(backends)
    const startedAt = performance.now()
    await work(times.length)
    times.push(performance.now() - startedAt)
    cpuTimes.push((await cpuMs(backends)) - cpuBefore)
  }
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpu: quantile(cpuTimes, 0.5),
    cpuP99: quantile(cpuTimes, 0.99),
    rounds: times.length,
  }
}

function quantile(values: number[], part: number): number {
  return values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
}

/** What the server's processes for our connections have used so far; Linux only. */
async function cpuMs(backends: readonly { pid: number }[]): Promise<number> {
  const used = backends.map(async ({ pid }) => Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]))
  return (await Promise.all(used)).reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6
}
