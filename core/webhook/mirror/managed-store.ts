// The SQL of webhooks that objects in Kubernetes decide about.
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Origin } from '#core/webhook/rules.ts'
import type { BoxedSecret } from '#core/webhook/secret.ts'
import { type LockedWebhook, votesOf } from '#core/webhook/store.ts'

/** An object, by its uid and by what people call it. */
export interface ObjectRef {
  uid: string
  namespace: string
  name: string
  generation: number
}

/** What a change compares with. */
export interface BoundWebhook extends LockedWebhook {
  orgId: OrgId
  id: WebhookId
  description: string
  eventTypes: EventType[]
  secretBox: Buffer
  secretIsGiven: boolean
  rotationRequest: string | null
  probeRequest: string | null
  object: { namespace: string; name: string } | null
  objectCreatedAt: Date | null
  orphanedAt: Date | null
}

/** Locks the row until the transaction ends. By uid only those managed in Kubernetes. */
export async function lockBound(sql: Sql, key: { id: string } | { uid: string }): Promise<BoundWebhook | undefined> {
  const [row] = await sql<BoundWebhook[]>`
    select w.org_id, w.id, w.url, w.description, w.event_types, w.origin, w.disabled_reason, ${votesOf(sql)}, w.consecutive_exhausted, w.secret_box,
      w.secret_is_given, w.rotation_request, w.probe_request, w.object_created_at, w.orphaned_at,
      case when w.object_uid is not null then jsonb_build_object('namespace', w.object_namespace, 'name', w.object_name) end as object
    from webhooks w
    where ${'id' in key ? sql`w.id = ${key.id}` : sql`w.object_uid = ${key.uid} and w.origin = 'KUBERNETES'`}
    for no key update`
  return row
}

export interface DuplicateWebhook {
  id: WebhookId
  uid: string
  namespace: string
  name: string
  objectCreatedAt: Date
}

/** Another object's webhook of the organisation with this address and these events, in any order; the oldest. One whose object has gone does not count: it is
 *  orphaned, or its name belongs to this object now. The caller holds the lock of `lockAdding`. */
export async function selectDuplicate(
  sql: Sql,
  orgId: OrgId,
  { uid, namespace, name, url, events }: Omit<ObjectRef, 'generation'> & { url: string; events: readonly EventType[] },
): Promise<DuplicateWebhook | undefined> {
  const [row] = await sql<DuplicateWebhook[]>`
    select id, object_uid as uid, object_namespace as namespace, object_name as name, object_created_at
    from webhooks
    where org_id = ${orgId} and origin = 'KUBERNETES' and object_uid <> ${uid} and url = ${url} and orphaned_at is null
      and event_types @> ${sql.array([...events])}::text[] and event_types <@ ${sql.array([...events])}::text[]
      and (object_namespace, object_name) <> (${namespace}, ${name})
    order by object_created_at, object_uid
    limit 1`
  return row
}

/** The webhook belongs to this object from now on; an orphan has one again. `createdAt` is the object's; absent for an object of a webhook created in the panel. */
export async function bindObject(
  sql: Sql,
  orgId: OrgId,
  id: WebhookId,
  { uid, namespace, name, generation, createdAt = null }: ObjectRef & { createdAt?: Date | null },
): Promise<void> {
  await sql`
    update webhooks
    set object_uid = ${uid}, object_namespace = ${namespace}, object_name = ${name}, object_generation = ${generation},
      object_created_at = coalesce(${createdAt}, object_created_at), orphaned_at = null
    where org_id = ${orgId} and id = ${id}`
}

export interface ManagedRow extends BoxedSecret {
  id: WebhookId
  url: string
  description: string
  eventTypes: readonly EventType[]
  object: ObjectRef & { createdAt: Date }
}

/** Its secret is shown in Kubernetes, never in the panel. */
export async function insertManaged(sql: Sql, orgId: OrgId, { object, ...row }: ManagedRow): Promise<void> {
  const origin: Origin = 'KUBERNETES'
  await sql`
    insert into webhooks (org_id, id, url, description, event_types, origin, secret_box, secret_last_four, secret_is_given, secret_shown_at,
      object_uid, object_namespace, object_name, object_generation, object_created_at)
    values (${orgId}, ${row.id}, ${row.url}, ${row.description}, ${sql.array([...row.eventTypes])}, ${origin}, ${row.secretBox}, ${row.lastFour},
      ${row.isGiven}, sealwright_now(), ${object.uid}, ${object.namespace}, ${object.name}, ${object.generation}, ${object.createdAt})`
}

/** Records that the webhook has a given secret. */
export async function setSecretGiven(sql: Sql, orgId: OrgId, id: WebhookId): Promise<void> {
  await sql`
    update webhooks
    set secret_is_given = true, secret_last_four = ''
    where org_id = ${orgId} and id = ${id} and not secret_is_given`
}

/** The request for a rotation was carried out. */
export async function setRotationRequest(sql: Sql, orgId: OrgId, id: WebhookId, request: string): Promise<void> {
  await sql`update webhooks set rotation_request = ${request} where org_id = ${orgId} and id = ${id}`
}

/** Marks webhooks whose objects have gone; earlier marks stay. */
export async function setOrphaned(sql: Sql, uids: readonly string[], since: Date): Promise<void> {
  await sql`
    update webhooks
    set orphaned_at = ${since}
    where object_uid = any(${sql.array([...uids])}::text[]) and origin = 'KUBERNETES' and orphaned_at is null`
}

export async function countOrphanedRows(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from webhooks where orphaned_at is not null`
  return row?.count ?? 0
}
