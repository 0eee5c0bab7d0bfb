// The idle cost of the tiers and their servers.
import { setTimeout as delay } from 'node:timers/promises'
import type { PipelineSystem } from './pipeline-system.ts'
import { startCounting } from './pipeline-usage.ts'

export interface Idle {
  /** Fraction of one CPU, from 0 to 1, by process. */
  cpu: Map<string, number>
  /** Statements of all tiers together, including begin and commit. */
  queriesPerSecond: number
}

/** Measures for this long. */
export async function watchIdle(system: PipelineSystem, seconds: number): Promise<Idle> {
  const spentSince = await startCounting(system)
  const queries = await countQueries(system)
  await delay(seconds * 1000)
  // The earlier count is a statement itself.
  const queriesPerSecond = ((await countQueries(system)) - queries - 1) / seconds
  const { cpuMs } = await spentSince()
  return { cpu: new Map(Array.from(cpuMs, ([name, ms]) => [name, ms / 1000 / seconds])), queriesPerSecond }
}

async function countQueries({ owner }: PipelineSystem): Promise<number> {
  const [row] = await owner<{ calls: number }[]>`select sum(calls)::int as calls from pg_stat_statements`
  return row!.calls
}
