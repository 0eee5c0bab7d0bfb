// The SQL of the one row that tells the key of this installation from every other.
import type { Sql } from '#core/postgres/client.ts'

export async function findKeyProof(sql: Sql): Promise<Buffer | undefined> {
  const [row] = await sql<{ proof: Buffer }[]>`select proof from installation_key`
  return row?.proof
}

/** The first one stays. */
export async function insertKeyProof(sql: Sql, proof: Buffer): Promise<void> {
  await sql`insert into installation_key (proof) values (${proof}) on conflict do nothing`
}
