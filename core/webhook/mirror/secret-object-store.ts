// The SQL of the Secrets that the controller creates for objects. The key is the uid of the object.
import type { WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

/** The name of the Secret of a webhook `w` managed in Kubernetes; null for others and for a given secret, which is not copied. It says which content: with other secrets, or without the previous one,
 *  it is another name. It cannot be guessed, because a box is encrypted with a random nonce. */
export function secretNameOf(sql: Sql) {
  return sql`
    case when w.origin = 'KUBERNETES' and not w.secret_is_given then w.object_name || '-webhook-r' || w.secret_revision || '-' || left(encode(sha256(
      convert_to(w.object_uid, 'UTF8') || w.secret_box || coalesce(${previousBoxOf(sql)}, '')), 'hex'), 10) end`
}

/** The previous secret of a webhook `w`, while it is valid; null for a given one. */
function previousBoxOf(sql: Sql) {
  return sql`case when w.previous_secret_expires_at > sealwright_now() and not w.previous_secret_is_given then w.previous_secret_box end`
}

/** Secrets that were created for the object of a webhook `w`, as JSON. */
export function createdSecretsOf(sql: Sql) {
  return sql`
    (select coalesce(jsonb_agg(jsonb_build_object('name', s.name, 'uid', s.uid) order by s.created_at, s.name), '[]')
      from webhook_secret_objects s
      where s.object_uid = w.object_uid and w.origin = 'KUBERNETES')`
}

export interface SecretContent {
  id: WebhookId
  objectUid: string
  name: string
  secretBox: Buffer
  previousSecretBox: Buffer | null
}

/** The current secret and the previous one while it is valid, and the name that goes with them. */
export async function selectSecretContent(sql: Sql, id: string): Promise<SecretContent | undefined> {
  const [row] = await sql<SecretContent[]>`
    select w.id, w.object_uid, ${secretNameOf(sql)} as name, w.secret_box, ${previousBoxOf(sql)} as previous_secret_box
    from webhooks w
    where w.id = ${id} and w.origin = 'KUBERNETES' and not w.secret_is_given`
  return row
}

export async function insertSecretObjects(sql: Sql, objectUid: string, names: readonly string[]): Promise<void> {
  await sql`
    insert into webhook_secret_objects (object_uid, name)
    select ${objectUid}, name from unnest(${sql.array([...names])}::text[]) name
    on conflict do nothing`
}

export async function setSecretUid(sql: Sql, objectUid: string, name: string, uid: string): Promise<void> {
  await sql`update webhook_secret_objects set uid = ${uid} where object_uid = ${objectUid} and name = ${name}`
}

export async function deleteSecretObject(sql: Sql, objectUid: string, name: string): Promise<void> {
  await sql`delete from webhook_secret_objects where object_uid = ${objectUid} and name = ${name}`
}

/** What is recorded about the Secrets of an object that is gone: Kubernetes deletes those that it owns. */
export async function forgetObject(sql: Sql, objectUid: string): Promise<void> {
  await sql`delete from webhook_secret_references where object_uid = ${objectUid}`
  await sql`delete from webhook_secret_objects where object_uid = ${objectUid}`
}

/** Deletes these records of all objects but the given ones and those with a webhook. Records of the last hour stay: their objects may be new. */
export async function forgetOtherObjects(sql: Sql, uids: readonly string[]): Promise<void> {
  const isGone = (table: 'r' | 's') => sql`
    ${sql(table)}.object_uid <> all(${sql.array([...uids])}::text[])
      and not exists (select from webhooks w where w.object_uid = ${sql(table)}.object_uid)`
  await sql`
    delete from webhook_secret_references r where r.requested_at < sealwright_now() - interval '1 hour' and ${isGone('r')}`
  await sql`delete from webhook_secret_objects s where s.created_at < sealwright_now() - interval '1 hour' and ${isGone('s')}`
}
