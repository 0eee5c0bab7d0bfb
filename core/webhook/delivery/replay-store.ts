// The SQL that plans replays.
import type { DeliveryId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { History } from './history-store.ts'

/** Adds a delivery for each event whose delivery gave up since then, and that does not wait for another one; oldest events first, at most `most`.
 *  Tests and probes are left out. */
export async function insertReplays(
  sql: Sql,
  orgId: OrgId,
  { webhookId, keptSeconds }: History,
  since: Date,
  most: number,
): Promise<DeliveryId[]> {
  const rows = await sql<{ id: DeliveryId }[]>`
    with owed as (
      select d.event_id, min(d.id::text) as first_id
      from deliveries d
      where d.org_id = ${orgId} and d.webhook_id = ${webhookId} and d.status = 'GAVE_UP' and d.kind in ('EVENT', 'REPLAY')
        and d.id >= first_id_of(greatest(${since}, sealwright_now() - make_interval(secs => ${keptSeconds})))
        and not exists (
          select from delivery_jobs j where j.org_id = d.org_id and j.webhook_id = d.webhook_id and j.event_id = d.event_id
            and j.state = 'WAITING')
      group by d.event_id
      order by first_id
      limit ${most}
    )
    insert into deliveries (org_id, id, webhook_id, event_id, event_type, kind, status, created_at)
    select ${orgId}, time_ordered_id(sealwright_now(), uuid_send(gen_random_uuid())), ${webhookId}, e.id, e.type, 'REPLAY', 'WAITING', sealwright_now()
    from owed o
    join events e on e.org_id = ${orgId} and e.id = o.event_id
    returning id`
  return rows.map(({ id }) => id)
}
