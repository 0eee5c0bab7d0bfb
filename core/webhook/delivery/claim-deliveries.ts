// Leases due deliveries of one organisation.
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import type { Claim } from './claim.ts'
import { leaseDeliveries, lockClaims, readInOrder } from './claim-store.ts'
import type { DeliveryJob } from './delivery-job.ts'

/** At most as many as the claim wants, and within the limits of the webhooks and the organisation. Needs a database of the system role. */
export async function claimDeliveries(
  { database }: Pick<StorelessCore, 'database'>,
  orgId: OrgId,
  claim: Claim,
): Promise<DeliveryJob[]> {
  return inTransaction(database, async (sql) => {
    // Pipelined; they run in this order.
    const [, , leased] = await Promise.all([readInOrder(sql), lockClaims(sql, orgId), leaseDeliveries(sql, orgId, claim)])
    return leased
  })
}
