// The SQL of the installation's identity: its keys, and whether its store is claimed.
import type { KeyState } from '#core/platform/crypto/installation-keys.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

/** Undefined before the first process has registered its key. */
export async function findKeyState(sql: Sql): Promise<KeyState | undefined> {
  const [row] = await sql<{ proof: Buffer; retired: [proof: string, box: string][] }[]>`
    select k.proof, array(
      select array[encode(r.proof, 'hex'), encode(r.box, 'hex')] from retired_installation_keys r order by r.retired_at desc) as retired
    from installation_key k`
  if (!row) return undefined
  const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
  return { proof: row.proof, retired: row.retired.map(([proof, box]) => ({ proof: bytes(proof), box: bytes(box) })) }
}

/** Keeps the first proof. */
export async function insertKeyProof(sql: Sql, proof: Buffer): Promise<void> {
  await sql`insert into installation_key (proof) values (${proof}) on conflict do nothing`
}

/** Whether the documents have their store. */
export async function hasStoreClaim(sql: Sql): Promise<boolean> {
  const rows = await sql`select from installation_store`
  return rows.length > 0
}

export async function insertStoreClaim(sql: Sql): Promise<void> {
  await sql`insert into installation_store (only_one) values (true) on conflict do nothing`
}
