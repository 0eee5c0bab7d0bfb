// The SQL of rates. Buckets live behind functions of the database: taking is one statement, by the database's clock.
import { createHash } from 'node:crypto'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Rate } from './rules.ts'

export interface Taken {
  granted: number
  /** What is left for everybody. */
  remaining: number
  /** BucketCache of the last 60 seconds, these among them. */
  recent: number
  /** Until the bucket has a permit again; 0 while it has one. */
  retryAfterMs: number
}

export interface Take {
  rate: Rate
  subject: string
  wanted: number
  /** Put back before. */
  returned: number
}

/** Takes up to so many permits of each bucket, by one statement and in the order given, and answers in that order. Whoever takes of several has them
 *  in an order that everybody keeps, as the routes do: a taker holds their rows. */
export async function takeTokens(sql: Sql, first: Take, ...others: readonly Take[]): Promise<Taken[]> {
  return sql<Taken[]>`${others.reduce((text, take) => sql`${text} union all ${taking(sql, take)}`, taking(sql, first))}`
}

function taking(sql: Sql, { rate: { name, perMinute, burst }, subject, wanted, returned }: Take) {
  return sql`
    select granted, remaining, recent, retry_after_ms
    from take_permits(${bucketKey(name, subject)}, ${perMinute}, ${burst}, ${wanted}, ${returned})`
}

/** How many permits went in the last 60 seconds. */
export async function countRecentPermits(sql: Sql, name: string, subject: string): Promise<number> {
  const [row] = await sql<{ count: number | null }[]>`select recent_permits(${bucketKey(name, subject)}) as count`
  return row?.count ?? 0
}

/** Forgets buckets that have long been full and says how many. */
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
