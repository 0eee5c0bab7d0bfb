// The SQL of failed sign-ins. A counter belongs to no organisation, because an attempt may name an unknown address.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Counter, CounterKind } from './rules.ts'

export interface CounterKey {
  kind: CounterKind
  subject: Buffer
}

/** The counter, created when missing; its row is locked until the transaction ends. */
export async function lockCounter(sql: Sql, { kind, subject }: CounterKey): Promise<Counter> {
  const [row] = await sql<[Counter]>`
    insert into sign_in_counters as c (kind, subject, failures) values (${kind}, ${subject}, 0)
    on conflict (kind, subject) do update set failures = c.failures
    returning kind, failures, extract(epoch from sealwright_now() - failed_at)::float as quiet_seconds,
      coalesce(extract(epoch from paused_until - sealwright_now()), 0)::float as paused_seconds`
  return row
}

export async function updateCounter(
  sql: Sql,
  { kind, subject }: CounterKey,
  { failures, pauseSeconds }: { failures: number; pauseSeconds: number },
): Promise<void> {
  await sql`
    update sign_in_counters
    set failures = ${failures}, failed_at = sealwright_now(),
      -- No pause is null, not now: the transaction that waited for this row may have begun a moment earlier.
      paused_until = case when ${pauseSeconds > 0} then sealwright_now() + make_interval(secs => ${pauseSeconds}) end
    where kind = ${kind} and subject = ${subject}`
}

/** Deletes all failures. */
export async function deleteCounter(sql: Sql, { kind, subject }: CounterKey): Promise<void> {
  await sql`delete from sign_in_counters where kind = ${kind} and subject = ${subject}`
}

/** Takes one failure back, with its pause. */
export async function takeBackFailure(sql: Sql, { kind, subject }: CounterKey): Promise<void> {
  await sql`
    update sign_in_counters set failures = greatest(failures - 1, 0), paused_until = null
    where kind = ${kind} and subject = ${subject}`
}

/** Counters without a failure for this long, at most `limit`; returns how many. */
export async function deleteQuietCounters(
  sql: Sql,
  { quietSeconds, limit }: { quietSeconds: number; limit: number },
): Promise<number> {
  const { count } = await sql`
    delete from sign_in_counters
    where (kind, subject) in (
      select kind, subject from sign_in_counters
      where failed_at <= sealwright_now() - make_interval(secs => ${quietSeconds})
      limit ${limit}
      for update skip locked)`
  return count
}
