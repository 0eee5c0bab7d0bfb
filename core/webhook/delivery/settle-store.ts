// The SQL that records the result of an attempt. Each statement changes the job only for the worker that holds its lease; the attempt is added to the history
// in any case.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { OrgId, WebhookId } from '#core/ids.ts'
import { type Attempt, attemptToJson } from './attempt.ts'
import type { DeliveryLease } from './delivery-job.ts'

function isLeased(sql: Sql, { orgId, id, attempts }: DeliveryLease) {
  return sql`org_id = ${orgId} and id = ${id} and attempts = ${attempts} and leased_until is not null`
}

/** Ends the job as delivered. A delivery that was closed while its request ran counts as delivered too. False when the worker no longer held the lease. */
export async function recordDelivered(sql: Sql, lease: DeliveryLease, attempt: Attempt): Promise<boolean> {
  const { orgId, id, webhookId, isTest } = lease
  // The counts that are always true set the order of the locks, which is that of all others: the webhook, its jobs, their records.
  const [row] = await sql<{ isFirst: boolean }[]>`
    with locked as materialized (
      select id from webhooks where org_id = ${orgId} and id = ${webhookId} and consecutive_exhausted > 0 for no key update
    ), ended as (
      delete from delivery_jobs where ${isLeased(sql, lease)} and (select count(*) from locked) >= 0 returning id
    ), reset as (
      update webhooks
      set consecutive_exhausted = 0
      where org_id = ${orgId} and id = ${webhookId} and consecutive_exhausted > 0 and not ${isTest}::boolean
        and exists (select from ended)
    )
    update deliveries
    set status = 'DELIVERED', reason = null, attempts = attempts || ${sql.json(attemptToJson(attempt))}::jsonb
    where org_id = ${orgId} and id = ${id} and (select count(*) from ended) >= 0
    returning exists (select from ended) as is_first`
  return row?.isFirst ?? false
}

/** Makes the job due again after a failed attempt. False when the worker no longer held the lease. */
export async function recordRejected(sql: Sql, lease: DeliveryLease, attempt: Attempt, delaySeconds: number): Promise<boolean> {
  const { orgId, id } = lease
  const [row] = await sql<{ isFirst: boolean }[]>`
    with postponed as (
      update delivery_jobs
      set failures = failures + 1, leased_until = null, last_error = ${attempt.failure?.code ?? null},
        due_at = sealwright_now() + make_interval(secs => ${delaySeconds})
      where ${isLeased(sql, lease)}
      returning id
    )
    update deliveries
    set status = case when exists (select from postponed) then 'REJECTED' else status end,
      attempts = attempts || ${sql.json(attemptToJson(attempt))}::jsonb
    where org_id = ${orgId} and id = ${id}
    returning exists (select from postponed) as is_first`
  return row?.isFirst ?? false
}

/** Ends the job after its last failed attempt. False when the worker no longer held the lease. */
export async function recordGaveUp(sql: Sql, lease: DeliveryLease, attempt: Attempt): Promise<boolean> {
  const { orgId, id } = lease
  const [row] = await sql<{ isFirst: boolean }[]>`
    with ended as (
      delete from delivery_jobs where ${isLeased(sql, lease)} returning id
    )
    update deliveries
    set status = case when exists (select from ended) then 'GAVE_UP' else status end,
      attempts = attempts || ${sql.json(attemptToJson(attempt))}::jsonb
    where org_id = ${orgId} and id = ${id}
    returning exists (select from ended) as is_first`
  return row?.isFirst ?? false
}

export type ClosingReason = 'ENDPOINT_DISABLED' | 'ENDPOINT_DELETED'

/** Closes every delivery that waits for this webhook, also those that run now; tests only with the webhook. Returns how many. */
export async function closeDeliveries(sql: Sql, orgId: OrgId, webhookId: WebhookId, reason: ClosingReason): Promise<number> {
  const rows = await sql`
    with ended as (
      delete from delivery_jobs
      where org_id = ${orgId} and webhook_id = ${webhookId} and (not is_test or ${reason === 'ENDPOINT_DELETED'}::boolean)
      returning id
    )
    update deliveries d
    set status = 'GAVE_UP', reason = ${reason}
    from ended
    where d.org_id = ${orgId} and d.id = ended.id
    returning d.id`
  return rows.length
}

/** Closes the deliveries of events that were recorded while their webhook was being disabled or deleted. Returns how many. */
export async function closeStrayDeliveries(sql: Sql): Promise<number> {
  const rows = await sql`
    with recursive lanes as (
      (select org_id, webhook_id from delivery_jobs where state = 'WAITING' order by org_id, webhook_id limit 1)
      union all
      select following.org_id, following.webhook_id
      from lanes l
      cross join lateral (
        select org_id, webhook_id
        from delivery_jobs
        where state = 'WAITING' and (org_id, webhook_id) > (l.org_id, l.webhook_id)
        order by org_id, webhook_id
        limit 1) following
    ), ended as (
      delete from delivery_jobs j
      using lanes l
      left join webhooks w on w.org_id = l.org_id and w.id = l.webhook_id
      where (w.id is null or w.disabled_reason is not null) and j.org_id = l.org_id and j.webhook_id = l.webhook_id
        and (w.id is null or not j.is_test)
      returning j.org_id, j.id, w.id is null as is_deleted
    )
    update deliveries d
    set status = 'NOT_SENT', reason = case when ended.is_deleted then 'ENDPOINT_DELETED' else 'ENDPOINT_DISABLED' end
    from ended
    where d.org_id = ended.org_id and d.id = ended.id
    returning d.id`
  return rows.length
}
