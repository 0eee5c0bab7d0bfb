// The SQL of Secrets that objects name, and of what workers read there. The key is the uid of the object.
// The trigger webhook_secret_references_mirrored notes answers for Kubernetes.
import type { WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { ReferenceFailure, SecretReference } from './secret-reference.ts'

export interface ReferenceRow extends SecretReference {
  waitedMs: number
  isRead: boolean
  failure: ReferenceFailure | null
  message: string | null
  isGiven: boolean
}

/** Undefined also when what was read is not there any more: it was given to a webhook that is gone. */
export async function selectReference(sql: Sql, uid: string): Promise<ReferenceRow | undefined> {
  const [row] = await sql<ReferenceRow[]>`
    select namespace, name, key, rotation_request, (extract(epoch from sealwright_now() - requested_at) * 1000)::float8 as waited_ms,
      read_at is not null as is_read, failure, message, is_given
    from webhook_secret_references r
    where object_uid = ${uid}
      and (read_at is null or failure is not null or secret_box is not null
        or (is_given and exists (select from webhooks w where w.object_uid = r.object_uid and w.secret_is_given)))`
  return row
}

/** To be read now. What was read of the same Secret stays, so that an unchanged secret is no rotation. */
export async function upsertReference(sql: Sql, uid: string, reference: SecretReference): Promise<void> {
  const { namespace, name, key, rotationRequest } = reference
  await sql`
    insert into webhook_secret_references as r (object_uid, namespace, name, key, rotation_request)
    values (${uid}, ${namespace}, ${name}, ${key}, ${rotationRequest})
    on conflict (object_uid) do update
    set namespace = excluded.namespace, name = excluded.name, key = excluded.key, rotation_request = excluded.rotation_request,
      request = r.request + 1, requested_at = excluded.requested_at, due_at = excluded.due_at, read_at = null, failure = null, message = null,
      secret_box = case when (r.namespace, r.name, r.key) = (excluded.namespace, excluded.name, excluded.key) then r.secret_box end,
      is_given = r.is_given and (r.namespace, r.name, r.key) = (excluded.namespace, excluded.name, excluded.key)`
}

export async function deleteReference(sql: Sql, uid: string): Promise<void> {
  await sql`delete from webhook_secret_references where object_uid = ${uid}`
}

/** The secret that was read last and not given yet. Keeps workers from replacing it until the transaction ends. */
export async function lockReadSecret(sql: Sql, uid: string): Promise<Buffer | undefined> {
  const [row] = await sql<{ secretBox: Buffer | null }[]>`
    select secret_box from webhook_secret_references where object_uid = ${uid} for update`
  return row?.secretBox ?? undefined
}

/** Whether the webhook of the object has the secret that was read last. Then it is kept there alone. */
export async function setGiven(sql: Sql, uid: string, isGiven: boolean): Promise<void> {
  await sql`
    update webhook_secret_references
    set is_given = ${isGiven}, secret_box = case when not ${isGiven} then secret_box end
    where object_uid = ${uid}`
}

export interface DueReference extends SecretReference {
  uid: string
  /** The number of the request. */
  request: number
  /** What was read last, until the webhook has it. */
  secretBox: Buffer | null
  /** The webhook that has what was read last, and its secret. */
  givenId: WebhookId | null
  givenBox: Buffer | null
}

/** References that are to be read now. If they are not answered within half a minute, they are due again. */
export async function claimDueReferences(sql: Sql, limit: number): Promise<DueReference[]> {
  return sql<DueReference[]>`
    with due as (
      select object_uid
      from webhook_secret_references
      where due_at <= sealwright_now()
      order by due_at
      limit ${limit}
      for update skip locked
    )
    update webhook_secret_references r
    set due_at = sealwright_now() + interval '30 seconds'
    from due
    left join webhooks w on w.object_uid = due.object_uid and w.origin = 'KUBERNETES' and w.secret_is_given
    where r.object_uid = due.object_uid
    returning r.object_uid as uid, r.request, r.namespace, r.name, r.key, r.rotation_request, r.secret_box,
      case when r.is_given then w.id end as given_id, case when r.is_given then w.secret_box end as given_box`
}

type Claim = Pick<DueReference, 'uid' | 'request'>

/** `secretBox`: absent when the secret is the one that was read last. */
export async function recordRead(
  sql: Sql,
  { uid, request }: Claim,
  secretBox: Buffer | undefined,
  againSeconds: number,
): Promise<void> {
  await sql`
    update webhook_secret_references
    set read_at = sealwright_now(), due_at = sealwright_now() + make_interval(secs => ${againSeconds}), failure = null, message = null,
      ${secretBox ? sql`secret_box = ${secretBox}, is_given = false` : sql`secret_box = secret_box`}
    where object_uid = ${uid} and request = ${request}`
}

export async function recordFailedRead(
  sql: Sql,
  { uid, request }: Claim,
  { failure, message }: { failure: ReferenceFailure; message: string },
  againSeconds: number,
): Promise<void> {
  await sql`
    update webhook_secret_references
    set read_at = sealwright_now(), due_at = sealwright_now() + make_interval(secs => ${againSeconds}), failure = ${failure}, message = ${message}
    where object_uid = ${uid} and request = ${request}`
}

/** The last answer stays. */
export async function postponeRead(sql: Sql, { uid, request }: Claim, againSeconds: number): Promise<void> {
  await sql`
    update webhook_secret_references
    set due_at = sealwright_now() + make_interval(secs => ${againSeconds})
    where object_uid = ${uid} and request = ${request}`
}
