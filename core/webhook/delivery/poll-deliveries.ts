// What each poll of the deliverers does besides claiming.
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { listDueOrganisations } from './claim-store.ts'
import { closeStrayDeliveries } from './settle-store.ts'

/** Closes deliveries whose webhook was disabled or deleted while their event was recorded. Needs a database of the system role. */
export async function closeStray({ database, log }: Pick<StorelessCore, 'database' | 'log'>): Promise<void> {
  const closed = await closeStrayDeliveries(database)
  if (closed > 0) log.info({ deliveries: closed }, 'deliveries.closed')
}

/** Organisations that may have a due delivery. */
export async function listDue({ database }: Pick<StorelessCore, 'database'>): Promise<OrgId[]> {
  return listDueOrganisations(database)
}
