// The watermark on both sides: a row of the database, and an object whose key has the number, because objects are never overwritten.
import { createHash } from 'node:crypto'
import type { Core } from '#core/context.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

const PREFIX = 'installation/watermarks/'
const DIGITS = 12
const EVERY_TIME = new Date(8.64e15)

export interface Watermark {
  number: number
  raisedAt: Date
}

export async function findWatermark(sql: Sql): Promise<Watermark | undefined> {
  const [row] = await sql<Watermark[]>`select number, raised_at from store_watermark`
  return row
}

/** Raises it by one from `number`, 0 without a row. Returns the new number, or undefined when another controller was first: so it is never more than one
 *  ahead of what is stored. */
export async function incrementWatermark(sql: Sql, number: number): Promise<number | undefined> {
  const [row] = await sql<{ number: number }[]>`
    insert into store_watermark (number) values (1)
    on conflict (only_one) do update set number = store_watermark.number + 1, raised_at = sealwright_now()
    where store_watermark.number = ${number}
    returning number`
  return row?.number
}

/** Sets it to a number that both sides have, or will have next. */
export async function replaceWatermark(sql: Sql, number: number): Promise<void> {
  await sql`
    insert into store_watermark (number) values (${number})
    on conflict (only_one) do update set number = excluded.number, raised_at = sealwright_now()`
}

/** The watermarks in the store, the highest last: usually one. */
export async function listStoredWatermarks(storage: Core['storage']): Promise<Watermark[]> {
  const found: Watermark[] = []
  for await (const { key, storedAt } of storage.list(PREFIX, EVERY_TIME)) {
    const number = Number(key.slice(PREFIX.length))
    if (Number.isSafeInteger(number)) found.push({ number, raisedAt: storedAt })
  }
  return found.toSorted((a, b) => a.number - b.number)
}

export async function storeWatermark(storage: Core['storage'], number: number): Promise<void> {
  const bytes = Buffer.from(`${number}\n`)
  const sha256 = createHash('sha256').update(bytes).digest()
  await storage.put(keyOf(number), bytes, { contentType: 'text/plain', sha256 })
}

export async function deleteStoredWatermark(storage: Core['storage'], number: number): Promise<void> {
  await storage.delete(keyOf(number))
}

function keyOf(number: number): string {
  return PREFIX + String(number).padStart(DIGITS, '0')
}
