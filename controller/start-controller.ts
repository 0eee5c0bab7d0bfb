// The controller tier, built from dependencies that the caller opened.
import { coreChecks } from '#core/installation/health-checks.ts'
import type { SystemCore } from '#core/context.ts'
import { type Checks, required } from '#core/platform/process/health-checks.ts'
import { clockJobs } from './clock/jobs.ts'
import { startClock } from './clock/start-clock.ts'

export interface RunningController extends AsyncDisposable {
  /** The checks of `/readyz` and `/livez`. */
  ready: () => Checks
  alive: Checks
}

/** Runs the scheduled jobs until disposed. Needs a database of the system role. */
export function startController(core: SystemCore): RunningController {
  const clock = startClock(clockJobs(core), core.log)
  return {
    ready: () => coreChecks(core, { changes: required }),
    alive: clock.alive,
    [Symbol.asyncDispose]: () => clock[Symbol.asyncDispose](),
  }
}
