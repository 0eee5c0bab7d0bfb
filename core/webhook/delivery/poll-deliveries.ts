// What each poll of the deliverers does besides claiming.
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { listWaiting } from './claim-store.ts'
import { closeStrayDeliveries } from './settle-store.ts'

/** Organisations that may have a due delivery. Closes deliveries whose webhook was disabled or deleted while their event was recorded. Needs a database of
 *  the system role. */
export async function pollDeliveries({ database, log }: Pick<StorelessCore, 'database' | 'log'>): Promise<OrgId[]> {
  const waiting = await listWaiting(database)
  const strays = waiting.filter(({ hasStray }) => hasStray)
  const closed =
    strays.length > 0
      ? await closeStrayDeliveries(
          database,
          strays.map(({ orgId }) => orgId),
        )
      : 0
  if (closed > 0) log.info({ deliveries: closed }, 'deliveries.closed')
  return waiting.filter(({ isDue }) => isDue).map(({ orgId }) => orgId)
}
