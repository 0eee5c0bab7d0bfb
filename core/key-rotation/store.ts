// The SQL of a rotation. Names of tables and columns come from renewed-columns.ts alone. Needs the owner's rights.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { RenewedColumn } from './renewed-column.ts'

type Column = Pick<RenewedColumn, 'table' | 'column' | 'keys'>

/** Rows held in memory at a time. */
const CHUNK = 500

type Id = string | number | Buffer

export interface KeyedValue {
  ids: Id[]
  value: Buffer
}

/** Streams the column of all rows that have a value. */
export async function* scanColumn(sql: Sql, { table, column, keys }: Column): AsyncGenerator<KeyedValue[]> {
  // Numbered, because the driver renames columns.
  const ids = keys.map((key, index) => sql`, ${sql(key)} as ${sql(`id${index}`)}`)
  const chunks = sql<(Record<string, Id> & { value: Buffer })[]>`
    select ${sql(column)} as value${ids} from ${sql(table)} where ${sql(column)} is not null`.cursor(CHUNK)
  for await (const rows of chunks)
    yield rows.map(({ value, ...row }) => ({ ids: keys.flatMap((_, index) => row[`id${index}`] ?? []), value }))
}

/** Replaces the value unless it has changed since it was read. */
export async function replaceValue(
  sql: Sql,
  { table, column, keys }: Column,
  { ids, value }: KeyedValue,
  next: Buffer,
): Promise<void> {
  const isRow = keys.map((key, index) => sql` and ${sql(key)} = ${ids[index] ?? null}`)
  await sql`update ${sql(table)} set ${sql(column)} = ${next} where ${sql(column)} = ${value}${isRow}`
}

/** Names the key that writes from now on, and keeps what is needed of the one before. False when another command was first. */
export async function replaceProof(sql: Sql, { from, to, box }: { from: Buffer; to: Buffer; box: Buffer }): Promise<boolean> {
  const { count } = await sql`update installation_key set proof = ${to}, created_at = sealwright_now() where proof = ${from}`
  if (count > 0) await sql`insert into retired_installation_keys (proof, box) values (${from}, ${box})`
  return count > 0
}
