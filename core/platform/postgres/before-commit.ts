// Statements that are pipelined with the commit. Their row locks last no round trip, which on a busy process takes longer than statement and commit.
// For rows that many transactions update.
import type { Sql, Statement } from './sql.ts'

export interface Closing {
  statement: Statement<object>
  /** Translates the error of the statement, which fails the transaction. */
  toFault: (error: unknown) => unknown
}

const closings = new WeakMap<Sql, Closing[]>()

/** Allows statements before the commit of the transaction `sql`, which is about to begin. */
export function openClosing(sql: Sql): void {
  closings.set(sql, [])
}

/** Runs the statement as the last of its transaction, after those added before. The caller cannot use its result: a reason against the commit has to
 *  fail within the server. Throws when `sql` is no open transaction. */
export function beforeCommit(sql: Sql, statement: Statement<object>, toFault: Closing['toFault'] = (error) => error): void {
  const list = closings.get(sql)
  if (!list) throw new Error('Only a transaction that is open has a last statement.')
  list.push({ statement, toFault })
}

/** Sends these statements and closes the list. Rejects with the translated error of the first that fails. */
export function sendClosing(sql: Sql): Promise<unknown> {
  const list = closings.get(sql) ?? []
  closings.delete(sql)
  const sent = list.map(async ({ statement, toFault }) => {
    try {
      // NOTE: `execute` sends it now; a query that is merely awaited is sent later.
      await statement(sql).execute()
    } catch (error) {
      throw toFault(error)
    }
  })
  return Promise.all(sent)
}
