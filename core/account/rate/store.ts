// The SQL of rates. SQL functions own the buckets: taking is one statement, by the database clock.
import { createHash } from 'node:crypto'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Rate } from './rules.ts'

export interface Taken {
  granted: number
  /** What is left in the shared bucket. */
  remaining: number
  /** Tokens of the last 60 seconds, including these. */
  recent: number
  /** Until the bucket has a token again; 0 while it has one. */
  retryAfterMs: number
}

export interface Take {
  rate: Rate
  subject: string
  wanted: number
  /** Unused tokens that are returned first. */
  returned: number
}

/** Takes up to this many tokens of each bucket with one statement, and returns results in the given order. It locks the buckets' rows, so every
 *  caller has to take several buckets in the same order, as the routes do. */
export async function takeTokens(sql: Sql, first: Take, ...others: readonly Take[]): Promise<Taken[]> {
  return sql<Taken[]>`${others.reduce((text, take) => sql`${text} union all ${taking(sql, take)}`, taking(sql, first))}`
}

function taking(sql: Sql, { rate: { name, perMinute, burst }, subject, wanted, returned }: Take) {
  return sql`
    select granted, remaining, recent, retry_after_ms
    from take_permits(${bucketKey(name, subject)}, ${perMinute}, ${burst}, ${wanted}, ${returned})`
}

/** How many tokens were taken in the last 60 seconds. */
export async function countRecentTokens(sql: Sql, name: string, subject: string): Promise<number> {
  const [row] = await sql<{ count: number | null }[]>`select recent_permits(${bucketKey(name, subject)}) as count`
  return row?.count ?? 0
}

/** Deletes buckets that have long been full and returns how many. */
export async function deleteIdleBuckets(sql: Sql, most: number): Promise<number> {
  const rows = await sql`
    delete from rates
    where key in (
      select key from rates where full_at < sealwright_now() - interval '2 minutes' limit ${most} for update skip locked)
    returning 1`
  return rows.length
}

function bucketKey(name: string, subject: string): Buffer {
  return createHash('sha256').update(`${name} ${subject}`).digest()
}
