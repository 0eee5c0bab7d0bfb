// The job to probe a webhook: its row in `webhook_probes`. An automatically disabled webhook has one until it is enabled again; others while a request for a
// probe from Kubernetes is open.
// The triggers webhook_probes_mirrored and webhook_probes_changes_mirrored note changes for Kubernetes.
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Job, WorkKind } from '#core/work/job.ts'

export interface ProbeJob extends Job {
  id: WebhookId
  /** Request from Kubernetes; null for a regular probe. */
  request: string | null
  url: string
  eventTypes: EventType[]
  secretBox: Buffer
  /** Null when no previous secret is valid any more. */
  previousSecretBox: Buffer | null
}

export const PROBE_WORK: WorkKind = {
  name: 'probe',
  role: 'deliver',
  table: 'webhook_probes',
  idColumn: 'webhook_id',
  subject: 'sealwright.probe.requested',
  details: (sql) => ({
    columns: sql`
      j.request, w.url, w.event_types, w.secret_box,
      case when w.previous_secret_expires_at > sealwright_now() then w.previous_secret_box end as previous_secret_box`,
    joins: sql`join webhooks w on w.org_id = j.org_id and w.id = j.webhook_id`,
  }),
  statusColumns: (sql) => sql`j.webhook_id`,
}

/** The first probe is due after `seconds`; a webhook has at most one. */
export async function insertProbe(sql: Sql, orgId: OrgId, webhookId: WebhookId, seconds: number): Promise<void> {
  await sql`
    insert into webhook_probes (org_id, webhook_id, due_at, wanted_at)
    select ${orgId}, ${webhookId}, due, due
    from (select sealwright_now() + make_interval(secs => ${seconds}) as due) first
    on conflict do nothing`
}

/** Makes the webhook's probe due now, with this request if there is one. */
export async function upsertProbe(sql: Sql, orgId: OrgId, webhookId: WebhookId, request: string | null): Promise<void> {
  await sql`
    insert into webhook_probes (org_id, webhook_id, request, due_at)
    values (${orgId}, ${webhookId}, ${request}, sealwright_now())
    on conflict (org_id, webhook_id) do update
    set request = coalesce(excluded.request, webhook_probes.request), due_at = sealwright_now(), wanted_at = sealwright_now()`
}

/** The request that is open. */
export async function selectProbeRequest(sql: Sql, orgId: OrgId, webhookId: WebhookId): Promise<string | null> {
  const [row] = await sql<{ request: string | null }[]>`
    select request from webhook_probes where org_id = ${orgId} and webhook_id = ${webhookId}`
  return row?.request ?? null
}

/** Ends the regular probes of a webhook; an open request for a probe stays. */
export async function deleteProbe(sql: Sql, orgId: OrgId, webhookId: WebhookId): Promise<void> {
  await sql`delete from webhook_probes where org_id = ${orgId} and webhook_id = ${webhookId} and request is null`
}

type ProbeLease = Pick<ProbeJob, 'orgId' | 'id' | 'attempts'>

function isLeased(sql: Sql, { orgId, id, attempts }: ProbeLease) {
  return sql`org_id = ${orgId} and webhook_id = ${id} and attempts = ${attempts} and leased_until is not null`
}

/** Locks the job of a probe that was made. Undefined when the probing has ended or another worker took over. */
export async function lockProbe(sql: Sql, lease: ProbeLease): Promise<Pick<ProbeJob, 'request'> | undefined> {
  const [row] = await sql<
    Pick<ProbeJob, 'request'>[]
  >`select request from webhook_probes where ${isLeased(sql, lease)} for update`
  return row
}

/** The next probe of the webhook, regular or by a newer request. */
export async function postponeProbe(
  sql: Sql,
  lease: ProbeLease,
  next: { seconds: number; request: string | null; error: string | undefined },
): Promise<void> {
  await sql`
    update webhook_probes
    set failures = failures + ${next.error === undefined ? 0 : 1}, leased_until = null, last_error = ${next.error ?? null},
      request = ${next.request}, due_at = sealwright_now() + make_interval(secs => ${next.seconds}),
      wanted_at = sealwright_now() + make_interval(secs => ${next.seconds})
    where ${isLeased(sql, lease)}`
}

/** The webhook is not probed again. */
export async function endProbe(sql: Sql, lease: ProbeLease): Promise<void> {
  await sql`delete from webhook_probes where ${isLeased(sql, lease)}`
}
