// The SQL of leases that a process holds on many deliveries. Rows that another statement has locked are left out: waiting for them could end in a deadlock.
import type { DeliveryId } from '#core/ids.ts'
import { commitAsynchronously } from '#core/platform/postgres/before-commit.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { LEASE_SECONDS } from '#core/work/hold-lease.ts'
import type { DeliveryLease } from './delivery-job.ts'

/** Returns the ids of those whose lease lasts LEASE_SECONDS from now on. */
export async function renewDeliveries(sql: Sql, leases: readonly DeliveryLease[]): Promise<Set<DeliveryId>> {
  const rows = await sql<{ id: DeliveryId }[]>`
    with held as materialized (${leased(sql, leases)})
    update delivery_jobs j
    set leased_until = sealwright_now() + make_interval(secs => ${LEASE_SECONDS})
    from held
    where j.org_id = held.org_id and j.id = held.id
    returning j.id, ${commitAsynchronously(sql)}`
  return new Set(rows.map(({ id }) => id))
}

/** Frees them for any process at once. */
export async function releaseDeliveries(sql: Sql, leases: readonly DeliveryLease[]): Promise<void> {
  await sql`
    with held as materialized (${leased(sql, leases)})
    update delivery_jobs j
    set released = j.released + 1, leased_until = null
    from held
    where j.org_id = held.org_id and j.id = held.id`
}

function leased(sql: Sql, leases: readonly DeliveryLease[]) {
  const given = leases.map(({ orgId, id, attempts }) => ({ org_id: orgId, id, attempts }))
  return sql`
    select g.org_id, g.id
    from jsonb_to_recordset(${sql.json(given)}) as g (org_id uuid, id uuid, attempts integer)
    cross join lateral (
      select
      from delivery_jobs j
      where j.org_id = g.org_id and j.id = g.id and j.attempts = g.attempts and j.leased_until is not null
      for update skip locked) job`
}
