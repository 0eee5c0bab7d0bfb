// Statements that travel with the commit. What they lock is locked for no round trip: nobody waits for this process to read an answer and to ask for
// the commit, which on busy processors takes longer than both. For rows that many transactions need.
import type { Sql, Statement } from './sql.ts'

export interface Closing {
  statement: Statement<object>
  /** What the caller is told when the statement fails, and the transaction with it. */
  toFault: (error: unknown) => unknown
}

const closings = new WeakMap<Sql, Closing[]>()

/** From now on `sql`, of a transaction that begins, may be given closing statements. */
export function openClosing(sql: Sql): void {
  closings.set(sql, [])
}

/** Runs the statement as the last of its transaction, after those that were given before. Nothing can go by its answer: what should stop the commit has
 *  to fail within the server. Throws where `sql` is no transaction. */
export function beforeCommit(sql: Sql, statement: Statement<object>, toFault: Closing['toFault'] = (error) => error): void {
  const list = closings.get(sql)
  if (!list) throw new Error('Only a transaction that is open has a last statement.')
  list.push({ statement, toFault })
}

/** Puts the closing statements on their way; from now on there are no more. Rejects with the fault of the first that fails. */
export function sendClosing(sql: Sql): Promise<unknown> {
  const list = closings.get(sql) ?? []
  closings.delete(sql)
  const sent = list.map(async ({ statement, toFault }) => {
    try {
      // NOTE: `execute` puts it on the way now; a query that is merely awaited sets out later.
      await statement(sql).execute()
    } catch (error) {
      throw toFault(error)
    }
  })
  return Promise.all(sent)
}
