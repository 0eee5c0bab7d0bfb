// How much work waits in Postgres and for how long; asked when metrics are read, so every reader sees the truth of that moment.
import type { Core } from '#core/context.ts'
import { workOldestAge, workParked, workWaiting } from './metrics.ts'
import { measureWork } from './store.ts'

/** Sets the gauges of the queues. Needs a database of the system role. */
export async function measureQueues(core: Pick<Core, 'database'>): Promise<void> {
  for (const { role, waiting, parked, oldestSeconds } of await measureWork(core.database)) {
    workWaiting.set({ role }, waiting)
    workParked.set({ role }, parked)
    workOldestAge.set({ role }, oldestSeconds)
  }
}
