// The SQL of webhooks as Kubernetes shows them, of any organisation.
import type { WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { AttemptFailure } from '#core/webhook/failure.ts'
import { votesOf } from '#core/webhook/store.ts'
import type { MirroredWebhook } from './mirrored-webhook.ts'
import { createdSecretsOf, secretNameOf } from './secret-object-store.ts'

type Derived = 'secret' | 'lastFailure'

/** A row with its secret's facts and its last failure as the database holds them. */
export interface MirroredRow extends Omit<MirroredWebhook, Derived> {
  secretRevision: number
  rotationRequest: string | null
  previousExpiresAt: Date | null
  secretName: string | null
  createdSecrets: { name: string; uid: string | null }[]
  failure: (AttemptFailure & { at: string }) | null
}

function columns(sql: Sql) {
  return sql`
    w.org_id, w.id, w.url, w.description, w.event_types, w.origin, w.version, w.created_at, ${votesOf(sql)},
    w.disabled_automatically_at as disabled_at, w.consecutive_exhausted, w.has_delivered,
    case when w.disabled_reason = 'AUTOMATIC' then p.due_at end as next_probe_at, w.last_probe_at, w.probe_request as last_probe_request,
    w.last_failure as failure, w.secret_revision, w.rotation_request,
    case when w.previous_secret_expires_at > sealwright_now() then w.previous_secret_expires_at end as previous_expires_at,
    ${secretNameOf(sql)} as secret_name, ${createdSecretsOf(sql)} as created_secrets,
    case when w.object_uid is not null then jsonb_build_object('namespace', w.object_namespace, 'name', w.object_name, 'uid', w.object_uid,
      'generation', w.object_generation) end as object,
    w.orphaned_at`
}

function probes(sql: Sql) {
  return sql`left join webhook_probes p on p.org_id = w.org_id and p.webhook_id = w.id`
}

export async function selectMirrored(sql: Sql, key: { id: string } | { uid: string }): Promise<MirroredRow | undefined> {
  const [row] = await sql<MirroredRow[]>`
    select ${columns(sql)} from webhooks w ${probes(sql)} where ${'id' in key ? sql`w.id = ${key.id}` : sql`w.object_uid = ${key.uid}`}`
  return row
}

/** A page by id. */
export async function selectMirroredAfter(sql: Sql, after: WebhookId | undefined, limit: number): Promise<MirroredRow[]> {
  return sql<MirroredRow[]>`
    select ${columns(sql)}
    from webhooks w
    ${probes(sql)}
    ${after ? sql`where w.id > ${after}` : sql``}
    order by w.id
    limit ${limit}`
}
