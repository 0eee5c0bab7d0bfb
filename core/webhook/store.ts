// The SQL of webhooks.
// Triggers of `webhooks` count its version (webhooks_versioned) and note changes for Kubernetes (webhooks_mirrored, webhooks_changes_mirrored).
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { AttemptFailure } from './failure.ts'
import type { DisabledReason, Origin, Votes, WebhookChange } from './rules.ts'
import type { BoxedSecret } from './secret.ts'
import type { Webhook } from './webhook.ts'

/** The organisation's webhooks, or the one with this id; oldest first. */
export function selectWebhooks(sql: Sql, orgId: OrgId, id?: WebhookId) {
  return sql<Webhook[]>`
    select w.id, w.url, w.description, w.event_types, w.origin, w.created_at, w.disabled_reason, w.disabled_at, ${votesOf(sql)},
      case when w.disabled_reason = 'AUTOMATIC' then p.due_at end as next_probe_at, w.consecutive_exhausted,
      case when not w.secret_is_given then w.secret_last_four end as secret_last_four, w.secret_shown_at,
      case when w.previous_secret_expires_at > sealwright_now() then w.previous_secret_expires_at end as previous_secret_expires_at,
      case when w.object_uid is not null then jsonb_build_object('namespace', w.object_namespace, 'name', w.object_name) end as object, w.orphaned_at
    from webhooks w
    left join webhook_probes p on p.org_id = w.org_id and p.webhook_id = w.id
    where w.org_id = ${orgId} ${id ? sql`and w.id = ${id}` : sql``}
    order by w.created_at, w.id`
}

/** The votes of a webhook `w`. */
export function votesOf(sql: Sql) {
  return sql`
    w.disabled_by_admin_at is not null as disabled_by_admin, w.suspended_at is not null as suspended,
    w.disabled_automatically_at is not null as disabled_automatically`
}

/** Any constant: the advisory lock under which an organisation's webhooks are counted and added. */
const ADD_LOCK = 7_325_008

/** Waits for others that add a webhook to the organisation; the count is a separate statement, which sees what they added. */
export async function lockAdding(sql: Sql, orgId: OrgId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADD_LOCK}, hashtext(${orgId}))`
}

export async function countWebhooks(sql: Sql, orgId: OrgId): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from webhooks where org_id = ${orgId}`
  return row?.count ?? 0
}

export interface NewWebhook extends BoxedSecret {
  id: WebhookId
  url: string
  description: string
  eventTypes: readonly EventType[]
}

/** Its secret counts as shown. */
export async function insertWebhook(sql: Sql, orgId: OrgId, webhook: NewWebhook): Promise<void> {
  await sql`
    insert into webhooks (org_id, id, url, description, event_types, secret_box, secret_last_four, secret_shown_at)
    values (${orgId}, ${webhook.id}, ${webhook.url}, ${webhook.description}, ${sql.array([...webhook.eventTypes])}, ${webhook.secretBox},
      ${webhook.lastFour}, sealwright_now())`
}

export interface LockedWebhook extends Votes {
  url: string
  origin: Origin
  disabledReason: DisabledReason | null
  consecutiveExhausted: number
}

/** Locks the row until the transaction ends. */
export async function lockWebhook(sql: Sql, orgId: OrgId, id: WebhookId): Promise<LockedWebhook | undefined> {
  const [row] = await sql<LockedWebhook[]>`
    select w.url, w.origin, w.disabled_reason, ${votesOf(sql)}, w.consecutive_exhausted
    from webhooks w
    where w.org_id = ${orgId} and w.id = ${id}
    for no key update`
  return row
}

/** Counts a delivery that used up its retries, with the failure of its last attempt. */
export async function countExhausted(
  sql: Sql,
  orgId: OrgId,
  id: WebhookId,
  at: string,
  failure: AttemptFailure | undefined,
): Promise<void> {
  await sql`
    update webhooks
    set consecutive_exhausted = consecutive_exhausted + 1, last_failure = coalesce(${failureJson(sql, at, failure)}, last_failure)
    where org_id = ${orgId} and id = ${id}`
}

export interface Probed {
  /** Null for a regular probe. */
  request: string | null
  /** Whether the webhook's present address accepted the probe. */
  isAccepted: boolean
  at: string
  failure: AttemptFailure | undefined
}

/** Records a probe, and its request as carried out. */
export async function markProbed(
  sql: Sql,
  orgId: OrgId,
  id: WebhookId,
  { request, isAccepted, at, failure }: Probed,
): Promise<void> {
  await sql`
    update webhooks
    set last_probe_at = sealwright_now(), probe_request = coalesce(${request}, probe_request),
      has_delivered = has_delivered or ${isAccepted}::boolean, last_failure = coalesce(${failureJson(sql, at, failure)}, last_failure)
    where org_id = ${orgId} and id = ${id}`
}

function failureJson(sql: Sql, at: string, failure: AttemptFailure | undefined) {
  return failure ? sql`${sql.json({ at, ...failure })}::jsonb` : sql`null::jsonb`
}

export async function countDisabled(sql: Sql): Promise<{ reason: DisabledReason; webhooks: number }[]> {
  return sql<{ reason: DisabledReason; webhooks: number }[]>`
    select disabled_reason as reason, count(*)::int as webhooks from webhooks where disabled_reason is not null group by disabled_reason`
}

export async function markSlow(sql: Sql, orgId: OrgId, id: WebhookId, seconds: number): Promise<void> {
  await sql`
    update webhooks
    set slow_until = sealwright_now() + make_interval(secs => ${seconds})
    where org_id = ${orgId} and id = ${id}`
}

const VOTE_COLUMNS: Readonly<Record<DisabledReason, string>> = {
  BY_ADMIN: 'disabled_by_admin_at',
  SUSPENDED: 'suspended_at',
  AUTOMATIC: 'disabled_automatically_at',
}

/** A vote that stands keeps its time. */
export async function castVote(sql: Sql, orgId: OrgId, id: WebhookId, reason: DisabledReason): Promise<void> {
  const column = sql(VOTE_COLUMNS[reason])
  await sql`
    update webhooks
    set ${column} = coalesce(${column}, sealwright_now())
    where org_id = ${orgId} and id = ${id}`
}

/** Ends the vote of `suspend`. */
export async function withdrawSuspension(sql: Sql, orgId: OrgId, id: WebhookId): Promise<void> {
  await sql`update webhooks set suspended_at = null where org_id = ${orgId} and id = ${id}`
}

/** Ends an automatic disabling, and with `byAdmin` the admin's own. */
export async function withdrawDisabling(sql: Sql, orgId: OrgId, id: WebhookId, { byAdmin }: { byAdmin: boolean }): Promise<void> {
  await sql`
    update webhooks
    set disabled_by_admin_at = case when not ${byAdmin}::boolean then disabled_by_admin_at end, disabled_automatically_at = null,
      consecutive_exhausted = 0
    where org_id = ${orgId} and id = ${id}`
}

export interface LiveSecrets {
  id: WebhookId
  secretBox: Buffer
  /** Null when there is none, or it has expired. */
  previousSecretBox: Buffer | null
}

/** Selects the secrets of all webhooks with this port in their URL, of any organisation. */
export async function selectSecretsAtPort(sql: Sql, port: number): Promise<LiveSecrets[]> {
  return sql<LiveSecrets[]>`
    select id, secret_box, case when previous_secret_expires_at > sealwright_now() then previous_secret_box end as previous_secret_box
    from webhooks
    where position(${`:${port}`} in url) > 0`
}

/** Sets the fields that are given. A new address is not slow and has accepted nothing yet. */
export async function changeWebhook(sql: Sql, orgId: OrgId, id: WebhookId, change: WebhookChange): Promise<void> {
  const { url = null, description = null, eventTypes } = change
  await sql`
    update webhooks
    set slow_until = case when ${url}::text is null or url = ${url} then slow_until end,
      has_delivered = has_delivered and (${url}::text is null or url = ${url}),
      url = coalesce(${url}, url),
      description = coalesce(${description}, description),
      event_types = coalesce(${eventTypes ? sql.array([...eventTypes]) : null}::text[], event_types)
    where org_id = ${orgId} and id = ${id}`
}

/** Its probe is deleted with it. */
export async function deleteWebhookRow(sql: Sql, orgId: OrgId, id: WebhookId): Promise<void> {
  await sql`delete from webhooks where org_id = ${orgId} and id = ${id}`
}
