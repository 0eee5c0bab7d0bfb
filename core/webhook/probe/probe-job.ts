// The job to probe an automatically disabled webhook: its row in `webhook_probes`, which exists until the webhook is enabled again.
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Job, WorkKind } from '#core/work/job.ts'

export interface ProbeJob extends Job {
  id: WebhookId
  url: string
  eventTypes: EventType[]
  secretBox: Buffer
  /** Null when no previous secret is valid any more. */
  previousSecretBox: Buffer | null
}

export const PROBE_WORK: WorkKind = {
  name: 'probe',
  table: 'webhook_probes',
  idColumn: 'webhook_id',
  subject: 'sealwright.probe.requested',
  details: (sql) => ({
    columns: sql`
      w.url, w.event_types, w.secret_box,
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

/** Makes the probe due now. False when there is none. */
export async function hastenProbe(sql: Sql, orgId: OrgId, webhookId: WebhookId): Promise<boolean> {
  const rows = await sql`
    update webhook_probes
    set due_at = sealwright_now(), wanted_at = sealwright_now()
    where org_id = ${orgId} and webhook_id = ${webhookId}
    returning webhook_id`
  return rows.length > 0
}

/** Ends the probing of a webhook. */
export async function deleteProbe(sql: Sql, orgId: OrgId, webhookId: WebhookId): Promise<void> {
  await sql`delete from webhook_probes where org_id = ${orgId} and webhook_id = ${webhookId}`
}

/** The next probe after one that did not enable the webhook, unless the probing has ended or another worker took over. */
export async function postponeProbe(
  sql: Sql,
  { orgId, id, attempts }: Pick<ProbeJob, 'orgId' | 'id' | 'attempts'>,
  error: string | undefined,
  seconds: number,
): Promise<boolean> {
  const rows = await sql`
    update webhook_probes
    set failures = failures + 1, leased_until = null, last_error = ${error ?? null},
      due_at = sealwright_now() + make_interval(secs => ${seconds}), wanted_at = sealwright_now() + make_interval(secs => ${seconds})
    where org_id = ${orgId} and webhook_id = ${id} and attempts = ${attempts} and leased_until is not null
    returning webhook_id`
  return rows.length > 0
}
