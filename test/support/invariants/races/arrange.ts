// Makes two callers meet at the same row without relying on luck: the test locks the row, lets them queue in a chosen order, and releases
// it. In free rounds nothing is locked and only the head start differs.
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { fromPostgresError } from '#core/platform/postgres/postgres-error.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { TestDatabase } from '../../servers/test-database.ts'

export type Contender = () => Promise<unknown>
/** The call's result if it is a string, else `done`; or the error code. */
export type Outcome = string

/** A call's outcome. Any other error is thrown. */
export async function outcomeOf(call: Contender): Promise<Outcome> {
  try {
    const answer = await call()
    return typeof answer === 'string' ? answer : 'done'
  } catch (error) {
    const known = fromPostgresError(error)
    if (known instanceof DomainError) return known.code
    throw error
  }
}

/** Holds the locks of `lock` until every contender waits behind them in order, or has finished without them. */
export async function inOrder(
  { owner }: Pick<TestDatabase, 'owner'>,
  lock: (sql: Sql) => Promise<unknown>,
  contenders: readonly Contender[],
): Promise<Outcome[]> {
  const held = Promise.withResolvers<number>()
  const letGo = Promise.withResolvers<void>()
  const holding = owner.begin(async (sql) => {
    const [holder] = await sql`select pg_backend_pid() as pid`
    await lock(sql)
    held.resolve(holder!['pid'])
    await letGo.promise
  })
  holding.catch(held.reject)
  const pid = await held.promise
  const running: Promise<Outcome>[] = []
  let answered = 0
  for (const contender of contenders) {
    const outcome = outcomeOf(contender).finally(() => answered++)
    outcome.catch(() => {}) // rejects below
    running.push(outcome)
    await untilBehind(owner, pid, () => running.length - answered)
  }
  letGo.resolve()
  await holding
  return Promise.all(running)
}

/** Resolves once that many transactions wait for this one, directly or not. */
async function untilBehind(owner: TestDatabase['owner'], pid: number, count: () => number): Promise<void> {
  for (;;) {
    const standing = await owner`
      with recursive waiting as materialized (
        select pid, pg_blocking_pids(pid) as for_pids from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      ), line(pid) as (
        select ${pid}::int union select w.pid from waiting w join line on line.pid = any(w.for_pids)
      )
      select 1 from line where pid <> ${pid}`
    if (standing.length >= count()) return
    await delay(1)
  }
}

/** Resolves once that many transactions of this database wait for a lock. */
export async function untilWaiting(owner: TestDatabase['owner'], count: () => number): Promise<void> {
  for (;;) {
    const standing = await owner`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (standing.length >= count()) return
    await delay(1)
  }
}

/** Starts both without a lock; the second some database round trips later. */
export async function freely(
  { owner }: Pick<TestDatabase, 'owner'>,
  [first, second]: readonly [Contender, Contender],
  headStart: number,
): Promise<Outcome[]> {
  const leading = outcomeOf(first)
  leading.catch(() => {}) // rejects below
  for (let trips = 0; trips < headStart; trips++) await owner`select 1`
  return Promise.all([leading, outcomeOf(second)])
}
