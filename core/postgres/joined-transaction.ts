// One transaction around use cases that open their own: what they do and what their caller adds is committed together or not at all.
import type { OrgId } from '#core/ids.ts'
import type postgres from 'postgres'
import type { Database, Sql } from './client.ts'
import { transact } from './transaction.ts'

/** Runs `work` in a transaction of one organisation and hands it a database whose transactions are savepoints of this one: one that fails is
 *  undone by itself, one that succeeds counts with the whole. Options of inner transactions, such as their isolation, have no effect. */
export async function inJoinedTransaction<T>(
  database: Database,
  orgId: OrgId,
  work: (sql: Sql, joined: Database) => Promise<T>,
): Promise<T> {
  return transact(database, '', async (sql) => {
    await sql`select set_config('sealwright.org_id', ${orgId}, true)`
    return work(sql, join(sql))
  })
}

type Transaction = postgres.TransactionSql<{ int8: number }>
type Work = (sql: Transaction) => Promise<unknown>

function join(sql: Transaction): Database {
  const begin = (...optionsAndWork: [Work] | [string, Work]) => {
    const [last, only] = optionsAndWork.toReversed()
    const work = typeof last === 'function' ? last : only
    if (typeof work !== 'function') throw new TypeError('A transaction needs something to do.')
    return sql.savepoint(work)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- use cases query and begin; what else a pool can do, a transaction refuses
  return new Proxy(sql, { get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)) }) as unknown as Database
}
