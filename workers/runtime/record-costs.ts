// A loop that records what the jobs of a kind cost, for the autoscaling signal.
import type { StorelessCore } from '#core/context.ts'
import type { WorkKind } from '#core/work/job.ts'
import { newCostMeter } from '#core/work/measure-costs.ts'
import { startDrainLoop } from './drain-loop.ts'
import type { Loop } from './loop.ts'

const EVERY_MS = 10_000

/** Runs until disposed; an idle process records nothing. `concurrency`: jobs of the process at a time. */
export function startRecordingCosts(core: Pick<StorelessCore, 'database' | 'log'>, kind: WorkKind, concurrency: number): Loop {
  const meter = newCostMeter(core, kind, concurrency)
  return startDrainLoop({
    name: `${kind.name} cost`,
    pollMs: EVERY_MS,
    restMs: 0,
    concurrency: 1,
    log: core.log,
    async step() {
      await meter.record()
      return false
    },
  })
}
