// The SQL of stored responses.
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

export interface ResponseRow {
  fingerprint: Buffer
  answerBox: Buffer
}

/** Locks the key until the transaction ends; false when another transaction holds it. A crash releases the lock at once. */
export async function tryLockKey(sql: Sql, keyHash: Buffer): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(${keyHash.readBigInt64BE().toString()}::bigint) as locked`
  return row?.locked ?? false
}

/** The response stored under the key, unless it is too old. Call it under the lock, so that it sees what the last holder committed. */
export async function findResponse(
  sql: Sql,
  orgId: OrgId,
  keyHash: Buffer,
  ttlSeconds: number,
): Promise<ResponseRow | undefined> {
  const [row] = await sql<ResponseRow[]>`
    select fingerprint, answer_box
    from idempotency_keys
    where org_id = ${orgId} and key_hash = ${keyHash} and created_at > sealwright_now() - make_interval(secs => ${ttlSeconds})`
  return row
}

/** Replaces an expired response. */
export async function storeResponse(
  sql: Sql,
  orgId: OrgId,
  keyHash: Buffer,
  { fingerprint, answerBox }: ResponseRow,
): Promise<void> {
  await sql`
    insert into idempotency_keys (org_id, key_hash, fingerprint, answer_box)
    values (${orgId}, ${keyHash}, ${fingerprint}, ${answerBox})
    on conflict (org_id, key_hash) do update
    set fingerprint = excluded.fingerprint, answer_box = excluded.answer_box, created_at = excluded.created_at`
}

/** Deletes expired responses and returns how many. */
export async function deleteResponses(sql: Sql, ttlSeconds: number, most: number): Promise<number> {
  const rows = await sql`
    delete from idempotency_keys
    where (org_id, key_hash) in (
      select org_id, key_hash
      from idempotency_keys
      where created_at <= sealwright_now() - make_interval(secs => ${ttlSeconds})
      order by created_at
      limit ${most}
      for update skip locked)
    returning 1`
  return rows.length
}
