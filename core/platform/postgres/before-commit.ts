// Statements that are pipelined with the commit. Their row locks last no round trip, which on a busy process takes longer than statement and commit.
// For rows that many transactions update.
import type { Sql, Statement } from './sql.ts'

export interface CommitStatement {
  statement: Statement<object>
  /** Translates the error of the statement, which fails the transaction. */
  toError: (error: unknown) => unknown
}

const statementsOf = new WeakMap<Sql, CommitStatement[]>()

/** Allows statements before the commit of the transaction `sql`, which is about to begin. */
export function allowBeforeCommit(sql: Sql): void {
  statementsOf.set(sql, [])
}

/** Runs the statement as the last of its transaction, after those added before. The caller cannot use its result: a reason against the commit has to
 *  fail within the server. Throws when `sql` is no open transaction. */
export function beforeCommit(
  sql: Sql,
  statement: Statement<object>,
  toError: CommitStatement['toError'] = (error) => error,
): void {
  const list = statementsOf.get(sql)
  if (!list) throw new Error('Only a transaction that is open has a last statement.')
  list.push({ statement, toError })
}

/** Sends these statements and closes the list. Rejects with the translated error of the first that fails. */
export function sendBeforeCommit(sql: Sql): Promise<unknown> {
  const list = statementsOf.get(sql) ?? []
  statementsOf.delete(sql)
  const sent = list.map(async ({ statement, toError }) => {
    try {
      // NOTE: `execute` sends it now; a query that is merely awaited is sent later.
      await statement(sql).execute()
    } catch (error) {
      throw toError(error)
    }
  })
  return Promise.all(sent)
}

/** Add it to a transaction's pipelined statements: the commit is visible to all at once and reaches the disk a moment later, before any later
 *  synchronous commit. Only for work that is simply repeated when the server crashes in between. */
export function commitAsynchronously(sql: Sql) {
  return sql`set_config('synchronous_commit', 'off', true)`
}
