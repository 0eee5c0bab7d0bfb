// The partitions of the delivery history, one a week: added ahead of time, and dropped when nothing in them is kept any more.
import type { Core } from '#core/context.ts'
import type { Settings } from '#core/platform/config/settings.ts'
import { addPartitions, dropPartitions } from './partition-store.ts'

/** This week and the following ones; without a controller for longer, new rows go to the default partition, and later to their own. */
const WEEKS = 4

/** Returns how many partitions were added or dropped. Needs the system role. */
export async function keepDeliveryPartitions({
  database,
  settings,
}: Pick<Core, 'database'> & { settings: Pick<Settings, 'webhookHistorySeconds'> }): Promise<number> {
  const added = await addPartitions(database, WEEKS)
  return added + (await dropPartitions(database, settings.webhookHistorySeconds))
}
