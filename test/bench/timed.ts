// How long a read takes, by the clock and by the processor time of the server.
import { readFile } from 'node:fs/promises'
import type { Database } from '#core/platform/postgres/client.ts'

const ROUNDS = 200
const FEWEST_ROUNDS = 20
const WARM_UPS = 10
/** A read that has taken this long altogether is measured well enough. */
const LONGEST_MS = 6_000

export interface Timing {
  p50: number
  p99: number
  /** Processor time of the server for the median call: what the clock would show on a machine that does nothing else. */
  cpu: number
  rounds: number
}

/** Of up to 200 calls after some that warm up. */
export async function timed(api: Database, work: (round: number) => Promise<unknown>): Promise<Timing> {
  const times: number[] = []
  const cpuTimes: number[] = []
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) await work(warmUp)
  // Single reads have a connection of their own, which the first of them has opened.
  const backends = await api<{ pid: number }[]>`select pid from pg_stat_activity where datname = current_database()`
  const begin = performance.now()
  while (times.length < ROUNDS && (times.length < FEWEST_ROUNDS || performance.now() - begin < LONGEST_MS)) {
    const cpuBefore = await cpuMs(backends)
    const startedAt = performance.now()
    await work(times.length)
    times.push(performance.now() - startedAt)
    cpuTimes.push(addedMs(cpuBefore, await cpuMs(backends)))
  }
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpu: quantile(cpuTimes, 0.5),
    rounds: times.length,
  }
}

function quantile(values: number[], part: number): number {
  return values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
}

/** What each of the server's processes for our connections has used so far; Linux only. */
async function cpuMs(backends: readonly { pid: number }[]): Promise<Map<number, number>> {
  const used = backends.map(async ({ pid }) => {
    const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')
    return [pid, Number(nanoseconds) / 1e6] as const
  })
  // A connection that was idle for long may have ended.
  return new Map((await Promise.allSettled(used)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
}

function addedMs(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? ms), 0)
}
