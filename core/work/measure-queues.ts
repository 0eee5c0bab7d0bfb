// Measures how many jobs wait in Postgres, for how long, and how much work they are, whenever metrics are read.
import type { Core } from '#core/context.ts'
import { withTimeout } from '#core/platform/process/with-timeout.ts'
import { workDeadLettered, workOldestAge, workWaiting, workWaitingSeconds } from '#core/platform/metrics/metrics.ts'
import type { WorkKind } from './job.ts'
import { measureOutbox, measureQueue } from './queue-age-store.ts'

/** Well below the 10 s after which metrics scrapers time out. */
const MEASURE_WITHIN_MS = 2_000

/** Sets the gauges of the queues; resets them when it throws, since an old value would look current. Needs the system role. */
export async function measureQueues({ database }: Pick<Core, 'database'>, kinds: readonly WorkKind[]): Promise<void> {
  try {
    const measuring = Promise.all([measureOutbox(database), Promise.all(kinds.map((kind) => measureQueue(database, kind)))])
    const [outbox, queues] = await withTimeout(measuring, MEASURE_WITHIN_MS)
    for (const { kind, waiting, deadLettered, oldestSeconds } of [outbox, ...queues]) {
      workWaiting.set({ kind }, waiting)
      workDeadLettered.set({ kind }, deadLettered)
      workOldestAge.set({ kind }, oldestSeconds)
    }
    for (const [role, own] of Map.groupBy(queues, (queue) => queue.role))
      workWaitingSeconds.set(
        { role },
        own.reduce((sum, { secondsOfWork }) => sum + secondsOfWork, 0),
      )
  } catch (error) {
    for (const gauge of [workWaiting, workDeadLettered, workOldestAge, workWaitingSeconds]) gauge.reset()
    throw error
  }
}
