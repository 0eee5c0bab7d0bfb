// The SQL that leases deliveries in batches, within the limits of each webhook and organisation.
import type { OrgId } from '#core/ids.ts'
import { MAX_ORGANISATION_IN_FLIGHT, MAX_ORGANISATION_SLOW_IN_FLIGHT, MAX_WEBHOOK_IN_FLIGHT } from '#core/limits.ts'
import { commitAsynchronously } from '#core/platform/postgres/before-commit.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { LEASE_SECONDS } from '#core/work/hold-lease.ts'
import type { Claim } from './claim.ts'
import type { DeliveryJob } from './delivery-job.ts'

/** Any constant: the advisory lock under which an organisation's deliveries are leased, so that its limits are exact. */
const CLAIM_LOCK = 7_325_007

/** Waits for other claims of the organisation. The claim is a separate statement, whose snapshot shows what they leased. */
export async function lockClaims(sql: Sql, orgId: OrgId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CLAIM_LOCK}, hashtext(${orgId}))`
}

/** Makes the claim that follows in the transaction read each webhook's jobs in the order of their index, and only as many as it takes, with a plan for the size
 *  that the tables have now. With old statistics or a kept plan it would read all jobs, or all events of the organisation, for each claim. */
export async function readInOrder(sql: Sql): Promise<void> {
  await sql`
    select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true),
      set_config('plan_cache_mode', 'force_custom_plan', true)`
}

/** Leases due deliveries of the organisation: tests first, then those of the webhooks with the fewest leased. Those of an envelope to a webhook are first
 *  attempted one after the other, in the order of its events. A process may have open what the others leave of a limit: each of them at most as many as it has leased. */
export async function leaseDeliveries(
  sql: Sql,
  orgId: OrgId,
  { sender, places, slowPlaces, prefetch, webhookPrefetch }: Claim,
): Promise<DeliveryJob[]> {
  return sql<DeliveryJob[]>`
    with ${limits(sql, orgId, { sender, webhookPrefetch })}, due as (
      select j.id, j.due_at, l.is_slow, l.may_open,
        case when j.is_test then 0 else l.jobs + row_number() over (partition by l.id order by j.due_at, j.seq) end as place
      from lanes l
      cross join lateral (
        select d.id, d.due_at, d.seq, d.is_test
        from delivery_jobs d
        where d.org_id = ${orgId} and d.webhook_id = l.id and d.state = 'WAITING' and d.due_at <= sealwright_now()
          and (d.leased_until is null or d.leased_until <= sealwright_now())
          and (d.is_test or not l.is_disabled)
          and not exists (
            select from delivery_jobs e
            where e.org_id = d.org_id and e.webhook_id = d.webhook_id and e.envelope_id = d.envelope_id and e.seq < d.seq
              and e.failures = 0 and e.state = 'WAITING'
            offset 0) -- not a join, which may read all jobs of the webhook for each of these
        order by d.due_at, d.seq
        limit case when l.may_open > 0 then greatest(l.may_open + l.prefetch - l.own, 0) else 0 end) j
    ), chosen as (
      select id, place, is_slow, may_open
      from (select *, row_number() over (partition by is_slow order by place, due_at) as rank from due) ranked
      where not is_slow or rank <= least(
        ${slowPlaces}, ${MAX_ORGANISATION_SLOW_IN_FLIGHT} - (select coalesce(sum(jobs), 0) from lanes where is_slow))
      order by place, due_at
      limit (select case when may_open > 0 then greatest(least(${places}, may_open + ${prefetch} - own), 0) else 0 end from organisation)
    ), leased as (
      update delivery_jobs j
      set attempts = j.attempts + 1, leased_by = ${sender}, leased_until = sealwright_now() + make_interval(secs => ${LEASE_SECONDS})
      from chosen
      where j.org_id = ${orgId} and j.id = chosen.id
        -- Again, for a job that a late worker settles at the same time.
        and j.due_at <= sealwright_now() and (j.leased_until is null or j.leased_until <= sealwright_now())
      returning j.*, chosen.place, chosen.is_slow, chosen.may_open
    )
    select j.org_id, j.id, j.attempts, j.failures, j.outages, j.released, j.trace_parent, sealwright_now() as taken_at,
      extract(epoch from sealwright_now() - j.wanted_at)::float8 as waited_seconds,
      j.webhook_id, j.event_id, j.is_test, j.is_slow, j.may_open::int, o.may_open::int as organisation_may_open, e.type as event_type, e.body, w.url,
      w.secret_box, case when w.previous_secret_expires_at > sealwright_now() then w.previous_secret_box end as previous_secret_box,
      ${commitAsynchronously(sql)}
    from leased j
    cross join organisation o
    join webhooks w on w.org_id = j.org_id and w.id = j.webhook_id
    join events e on e.org_id = j.org_id and e.id = j.event_id
    order by j.place, j.due_at, j.seq`
}

/** The queries `organisation` and `lanes`, one row for each webhook: what is leased now, and how much of it this process may have open. */
function limits(sql: Sql, orgId: OrgId, { sender, webhookPrefetch }: Pick<Claim, 'sender' | 'webhookPrefetch'>) {
  return sql`
    running as (
      select webhook_id, leased_by, coalesce(leased_by = ${sender}, false) as is_own, count(*)::int as jobs
      from delivery_jobs
      where org_id = ${orgId} and leased_until > sealwright_now()
      group by webhook_id, leased_by
    ), organisation as (
      select coalesce(sum(jobs) filter (where is_own), 0) as own,
        ${MAX_ORGANISATION_IN_FLIGHT} - coalesce(sum(least(jobs, ${MAX_ORGANISATION_IN_FLIGHT})) filter (where not is_own), 0) as may_open
      from (select is_own, sum(jobs) as jobs from running group by leased_by, is_own) senders
    ), lanes as (
      select w.id, w.disabled_reason is not null as is_disabled, s.is_slow, coalesce(r.jobs, 0) as jobs, coalesce(r.own, 0) as own,
        s.most - coalesce(r.others, 0) as may_open, case when s.is_slow then 0 else coalesce(a.prefetch, 0) end as prefetch
      from webhooks w
      cross join lateral (
        select coalesce(w.slow_until > sealwright_now(), false) as is_slow,
          case when w.slow_until > sealwright_now() then 1 else ${MAX_WEBHOOK_IN_FLIGHT} end as most) s
      cross join lateral (
        select sum(jobs) as jobs, sum(jobs) filter (where is_own) as own, sum(least(jobs, s.most)) filter (where not is_own) as others
        from running
        where webhook_id = w.id) r
      left join jsonb_to_recordset(${sql.json(webhookPrefetch.map((each) => ({ ...each })))}) as a (id uuid, prefetch integer) on a.id = w.id
      where w.org_id = ${orgId}
    )`
}

export interface WaitingOrganisation {
  orgId: OrgId
  /** It may have a due delivery. */
  isDue: boolean
  /** Deliveries wait for a webhook that is disabled or deleted. */
  hasStray: boolean
}

/** Organisations with waiting deliveries; one index probe for each of their webhooks. */
export async function listWaiting(sql: Sql): Promise<WaitingOrganisation[]> {
  return sql<WaitingOrganisation[]>`
    with recursive lanes as (
      (select org_id, webhook_id, due_at from delivery_jobs where state = 'WAITING' order by org_id, webhook_id, due_at limit 1)
      union all
      select following.org_id, following.webhook_id, following.due_at
      from lanes l
      cross join lateral (
        select org_id, webhook_id, due_at
        from delivery_jobs
        where state = 'WAITING' and (org_id, webhook_id) > (l.org_id, l.webhook_id)
        order by org_id, webhook_id, due_at
        limit 1) following
    )
    select l.org_id, bool_or(l.due_at <= sealwright_now()) as is_due, bool_or(w.id is null or w.disabled_reason is not null) as has_stray
    from lanes l
    left join webhooks w on w.org_id = l.org_id and w.id = l.webhook_id
    group by l.org_id`
}
