// Measures how many jobs wait in Postgres and for how long, whenever metrics are read.
import type { Core } from '#core/context.ts'
import { withTimeout } from '#core/platform/process/with-timeout.ts'
import { workDeadLettered, workOldestAge, workWaiting } from '#core/platform/metrics/metrics.ts'
import type { WorkKind } from './job.ts'
import { measureOutbox, measureQueue } from './queue-age-store.ts'

/** Well below the 10 s after which metrics scrapers time out. */
const MEASURE_WITHIN_MS = 2_000

/** Sets the gauges of the queues; resets them when it throws, since an old value would look current. Needs the system role. */
export async function measureQueues({ database }: Pick<Core, 'database'>, kinds: readonly WorkKind[]): Promise<void> {
  try {
    const queues = [measureOutbox(database), ...kinds.map((kind) => measureQueue(database, kind))]
    for (const { kind, waiting, deadLettered, oldestSeconds } of await withTimeout(Promise.all(queues), MEASURE_WITHIN_MS)) {
      workWaiting.set({ kind }, waiting)
      workDeadLettered.set({ kind }, deadLettered)
      workOldestAge.set({ kind }, oldestSeconds)
    }
  } catch (error) {
    for (const gauge of [workWaiting, workDeadLettered, workOldestAge]) gauge.reset()
    throw error
  }
}
