// The SQL of how the deliveries of the last day ended.
import type { OrgId, WebhookId } from '#core/ids.ts'
import { MAX_HEALTH_DELIVERIES } from '#core/limits.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

export interface HourRow {
  webhookId: WebhookId
  /** Whole hours, 0 to 23. */
  hoursAgo: number
  delivered: number
  failed: number
}

/** Counts by webhook and hour, of each webhook's latest deliveries only. Hours without deliveries have no row; tests and probes do not count. */
export function selectLastDay(sql: Sql, orgId: OrgId) {
  return sql<HourRow[]>`
    select w.id as webhook_id, h.hours_ago, h.delivered, h.failed
    from webhooks w
    cross join lateral (
      select least(23, floor(extract(epoch from sealwright_now() - l.created_at) / 3600))::int as hours_ago,
        count(*) filter (where l.status = 'DELIVERED')::int as delivered,
        count(*) filter (where l.status in ('REJECTED', 'GAVE_UP', 'NOT_BUILT'))::int as failed
      from (
        select d.created_at, d.status, d.kind
        from deliveries d
        where d.org_id = w.org_id and d.webhook_id = w.id and d.id >= first_id_of(sealwright_now() - interval '24 hours')
        order by d.id desc
        limit ${MAX_HEALTH_DELIVERIES}
      ) l
      where l.kind in ('EVENT', 'REPLAY')
      group by 1
    ) h
    where w.org_id = ${orgId}`
}
