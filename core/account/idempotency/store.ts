// The SQL of kept answers.
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

export interface KeptRow {
  fingerprint: Buffer
  answerBox: Buffer
}

/** Holds the key until the transaction ends; false when another transaction holds it. A process that dies lets go at once. */
export async function tryLockKey(sql: Sql, keyHash: Buffer): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(${keyHash.readBigInt64BE().toString()}::bigint) as locked`
  return row?.locked ?? false
}

/** What is kept under the key and not too old. Ask after the lock is held: then it shows what the last holder has committed. */
export async function findKept(sql: Sql, orgId: OrgId, keyHash: Buffer, ttlSeconds: number): Promise<KeptRow | undefined> {
  const [row] = await sql<KeptRow[]>`
    select fingerprint, answer_box
    from idempotency_keys
    where org_id = ${orgId} and key_hash = ${keyHash} and created_at > sealwright_now() - make_interval(secs => ${ttlSeconds})`
  return row
}

/** Takes the place of what was too old to be found. */
export async function keep(sql: Sql, orgId: OrgId, keyHash: Buffer, { fingerprint, answerBox }: KeptRow): Promise<void> {
  await sql`
    insert into idempotency_keys (org_id, key_hash, fingerprint, answer_box)
    values (${orgId}, ${keyHash}, ${fingerprint}, ${answerBox})
    on conflict (org_id, key_hash) do update
    set fingerprint = excluded.fingerprint, answer_box = excluded.answer_box, created_at = excluded.created_at`
}

/** Forgets what is too old and says how much. */
export async function deleteKept(sql: Sql, ttlSeconds: number, most: number): Promise<number> {
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
