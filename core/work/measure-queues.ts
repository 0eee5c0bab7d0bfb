// How much work waits in Postgres and for how long; asked when metrics are read, so every reader sees the truth of that moment.
import type { Core } from '#core/context.ts'
import { withTimeout } from '#core/platform/process/with-timeout.ts'
import { workOldestAge, workDeadLettered, workWaiting } from '#core/platform/metrics/metrics.ts'
import { measureWork } from './queue-age-store.ts'

/** Well below the 10 s after which readers of metrics give up. */
const MEASURE_WITHIN_MS = 2_000

/** Sets the gauges of the queues; they show nothing when it throws, since an old value would pass for the truth. Needs a database of the system role. */
export async function measureQueues(core: Pick<Core, 'database'>): Promise<void> {
  try {
    for (const { role, waiting, parked, oldestSeconds } of await withTimeout(measureWork(core.database), MEASURE_WITHIN_MS)) {
      workWaiting.set({ role }, waiting)
      workDeadLettered.set({ role }, parked)
      workOldestAge.set({ role }, oldestSeconds)
    }
  } catch (error) {
    for (const gauge of [workWaiting, workDeadLettered, workOldestAge]) gauge.reset()
    throw error
  }
}
