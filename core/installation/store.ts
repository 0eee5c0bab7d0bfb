// The SQL of the installation's identity: its key, and whether its store is claimed.
import type { Sql } from '#core/platform/postgres/client.ts'

export async function findKeyProof(sql: Sql): Promise<Buffer | undefined> {
  const [row] = await sql<{ proof: Buffer }[]>`select proof from installation_key`
  return row?.proof
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
