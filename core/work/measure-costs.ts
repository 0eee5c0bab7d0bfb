// Measures what a job of a kind costs, and shares it with the other processes: each of them then knows how long the waiting jobs take.
import type { Core } from '#core/context.ts'
import { workDuration } from '#core/platform/metrics/metrics.ts'
import { mergeCost } from './cost-store.ts'
import type { WorkKind } from './job.ts'
import { costOf, type Finished } from './rules.ts'

export interface CostMeter {
  /** Records the cost of the jobs that this process has finished since the last call. */
  record(): Promise<void>
}

/** `concurrency`: attempts of the process at a time. Needs the system role. */
export function newCostMeter({ database }: Pick<Core, 'database'>, { name }: WorkKind, concurrency: number): CostMeter {
  let before: Finished = { jobs: 0, seconds: 0 }
  return {
    async record() {
      const now = await finishedJobs(name)
      const cost = costOf({ jobs: now.jobs - before.jobs, seconds: now.seconds - before.seconds }, concurrency)
      if (!cost) return
      await mergeCost(database, name, cost)
      before = now
    },
  }
}

/** Only jobs that succeeded: what waits for a server that is away costs no processor time, and no further process would help. */
async function finishedJobs(kind: string): Promise<Finished> {
  const { values } = await workDuration.get()
  const valueOf = (part: 'count' | 'sum'): number =>
    values.find(({ metricName, labels }) => metricName?.endsWith(`_${part}`) && labels.kind === kind && labels.outcome === 'done')
      ?.value ?? 0
  return { jobs: valueOf('count'), seconds: valueOf('sum') }
}
