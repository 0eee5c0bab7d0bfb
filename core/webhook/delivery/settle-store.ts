// The SQL that records the result of an attempt. A failure changes the job only for the worker that holds its lease, a success for any: the receiver has the
// event. The attempt is added to the history in any case. All lock first the webhook, then the job, then the delivery.
import { commitAsynchronously } from '#core/platform/postgres/before-commit.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { DeliveryId, OrgId, WebhookId } from '#core/ids.ts'
import { type Attempt, attemptToJson } from '#core/webhook/request/attempt.ts'
import { lockClaims } from './claim-store.ts'
import type { DeliveryLease } from './delivery-job.ts'

export interface Delivered {
  lease: DeliveryLease
  attempt: Attempt
}

function isLeased(sql: Sql, { orgId, id, attempts }: DeliveryLease) {
  return sql`org_id = ${orgId} and id = ${id} and attempts = ${attempts} and leased_until is not null`
}

/** Ends the job as delivered, also for a worker that lost its lease. A delivery that was closed while its request ran counts as delivered too. False when
 *  the job had ended before. */
export async function recordDelivered(sql: Sql, lease: DeliveryLease, attempt: Attempt): Promise<boolean> {
  const { orgId, id, webhookId, isTest } = lease
  const [row] = await sql<{ isFirst: boolean }[]>`
    with counting as materialized (
      select id
      from webhooks
      where org_id = ${orgId} and id = ${webhookId} and (not has_delivered or consecutive_exhausted > 0 and not ${isTest}::boolean)
      for no key update
    ), ended as (
      delete from delivery_jobs
      where org_id = ${orgId} and id = ${id} and (select count(*) from counting) >= 0 -- the webhook before the job
      returning id
    ), reset as (
      update webhooks
      set consecutive_exhausted = case when ${isTest}::boolean then consecutive_exhausted else 0 end, has_delivered = true
      where org_id = ${orgId} and id in (select id from counting) and exists (select from ended)
    )
    update deliveries
    set status = 'DELIVERED', reason = null, attempts = attempts || ${sql.json(attemptToJson(attempt))}::jsonb
    where org_id = ${orgId} and id = ${id} and (select count(*) from ended) >= 0 -- the job before its delivery
    returning exists (select from ended) as is_first`
  return row?.isFirst ?? false
}

/** Records many accepted deliveries of any webhooks in one statement. It leaves out those that need more: their webhook has failures to reset or has accepted nothing before, or their job has ended or is
 *  locked, for which it must not wait while it holds others. Returns the ids of those that it recorded. */
export function recordManyDelivered(sql: Sql, deliveries: readonly Delivered[]) {
  const given = deliveries.map(({ lease, attempt }) => ({
    org_id: lease.orgId,
    id: lease.id,
    webhook_id: lease.webhookId,
    attempt: attemptToJson(attempt),
  }))
  return sql<{ id: DeliveryId }[]>`
    with taken as materialized (
      select g.org_id, g.id, g.attempt
      from jsonb_to_recordset(${sql.json(given)}) as g (org_id uuid, id uuid, webhook_id uuid, attempt jsonb)
      cross join lateral (
        select from delivery_jobs j where j.org_id = g.org_id and j.id = g.id for update skip locked) job
      where not exists (
        select from webhooks w where w.org_id = g.org_id and w.id = g.webhook_id and (w.consecutive_exhausted > 0 or not w.has_delivered))
    ), ended as (
      delete from delivery_jobs j using taken t where j.org_id = t.org_id and j.id = t.id returning t.org_id, t.id, t.attempt
    )
    update deliveries d
    set status = 'DELIVERED', reason = null, attempts = d.attempts || ended.attempt
    from ended
    where d.org_id = ended.org_id and d.id = ended.id
    returning d.id, ${commitAsynchronously(sql)} -- one whose record is lost is sent again
    `
}

/** Schedules the next attempt after a failed one. It is wanted from then on: the age of the queue must show late deliveries, not those that wait for their
 *  retry. False when the worker no longer held the lease. */
export async function recordRejected(sql: Sql, lease: DeliveryLease, attempt: Attempt, delaySeconds: number): Promise<boolean> {
  const { orgId, id } = lease
  const [row] = await sql<{ isFirst: boolean }[]>`
    with postponed as (
      update delivery_jobs
      set failures = failures + 1, leased_until = null, last_error = ${attempt.failure?.code ?? null},
        due_at = sealwright_now() + make_interval(secs => ${delaySeconds}),
        wanted_at = sealwright_now() + make_interval(secs => ${delaySeconds})
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

/** Closes every delivery that waits for this webhook, also those that run now; tests only with the webhook. Returns how many. The caller holds the webhook's
 *  row lock. */
export async function closeDeliveries(sql: Sql, orgId: OrgId, webhookId: WebhookId, reason: ClosingReason): Promise<number> {
  // A claim that locks the same jobs in another order would end in a deadlock.
  await lockClaims(sql, orgId)
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

/** Closes the organisations' deliveries whose webhook is disabled or deleted, without its tests while it exists. Returns how many. */
export async function closeStrayDeliveries(sql: Sql, orgIds: readonly OrgId[]): Promise<number> {
  const rows = await sql`
    with ended as (
      delete from delivery_jobs j
      where j.org_id = any(${sql.array([...orgIds])}::uuid[]) and not exists (
        select from webhooks w where w.org_id = j.org_id and w.id = j.webhook_id and (w.disabled_reason is null or j.is_test))
      returning j.org_id, j.id, j.webhook_id
    )
    update deliveries d
    set status = 'NOT_SENT',
      reason = case when exists (select from webhooks w where w.org_id = ended.org_id and w.id = ended.webhook_id)
        then 'ENDPOINT_DISABLED' else 'ENDPOINT_DELETED' end
    from ended
    where d.org_id = ended.org_id and d.id = ended.id
    returning d.id`
  return rows.length
}
