// A transaction on a reserved connection. BEGIN is pipelined with the first statement. Statements after its end, or after the loss of its connection,
// are rejected, because the connection may already belong to another transaction.
import { allowBeforeCommit, sendBeforeCommit } from './before-commit.ts'
import type { Database, Sql, Statement } from './sql.ts'

type Reserved = Awaited<ReturnType<Database['reserve']>>

/** How many transactions of this process wait for a connection of the pool, and are open on one: plain numbers, so that this file does not depend on
 *  metrics. */
export const transactionCounts = { waiting: 0, open: 0 }

/** A reserved connection with the additions of `hack/postgres-corrections.mjs`. */
export interface HeldConnection extends Reserved {
  /** Rejects when the connection is lost, never resolves. */
  lost: Promise<never>
  /** Makes every further statement reject with the reason. */
  refuse: (reason: Error) => void
}

export interface Opening {
  begin: 'begin' | 'begin isolation level repeatable read read only'
  /** The first statement, without parameters. */
  first?: string
}

/** A pool, or a database nested in another transaction. */
export type Transactable = Pick<Database, 'reserve'>

/** Databases whose transactions are savepoints of an outer transaction. */
const outerOf = new WeakMap<Transactable, Sql>()

/** Makes the transactions of `database` savepoints of `outer`. */
export function nestTransaction(database: Transactable, outer: Sql): void {
  outerOf.set(database, outer)
}

/** Runs `work` in a transaction, committed when it resolves and rolled back when it throws. Rejects at once when the connection is lost, even while
 *  `work` continues. A failed statement fails the transaction, even when `work` caught its error. */
export async function transact<Result>(
  database: Transactable,
  opening: Opening,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const outer = outerOf.get(database)
  if (outer) return inSavepoint(outer, opening, work)
  return onConnection(database, async (connection) => {
    try {
      allowBeforeCommit(connection)
      const begun = connection.unsafe(textOf(opening.begin, opening.first)).simple().execute()
      const [value] = await Promise.race([Promise.all([work(connection), begun]), connection.lost])
      const [closed, ended] = [sendBeforeCommit(connection), endWith(connection, 'commit')]
      await Promise.race([Promise.allSettled([closed, ended]), connection.lost])
      // In this order, so that the reason for the missing commit is thrown first.
      await closed
      await ended
      return value
    } catch (error) {
      // When the rollback fails the connection is lost, and the server rolls back on its own.
      await Promise.allSettled([endWith(connection, 'rollback')])
      throw error
    }
  })
}

/** A transaction of one statement, in a single round trip. */
export async function singleRoundTrip<Row extends object>(
  database: Transactable,
  opening: Opening,
  statement: Statement<Row>,
): Promise<Row[]> {
  return inOneTrip(database, opening, (sql) => statement(sql).execute())
}

/** A transaction of two independent statements, in a single round trip. */
export async function pipelinedTransaction<First extends object, Second extends object>(
  database: Transactable,
  opening: Opening,
  [first, second]: readonly [Statement<First>, Statement<Second>],
): Promise<[First[], Second[]]> {
  return inOneTrip(database, opening, (sql) => Promise.all([first(sql).execute(), second(sql).execute()]))
}

/** `ask` sends all its statements before it returns. */
async function inOneTrip<Answer>(database: Transactable, opening: Opening, ask: (sql: Sql) => Promise<Answer>): Promise<Answer> {
  const outer = outerOf.get(database)
  if (outer) return inSavepoint(outer, opening, ask)
  return onConnection(database, async (connection) => {
    // NOTE: `execute` sends them in this order; a query that is merely awaited is sent later.
    const begun = connection.unsafe(textOf(opening.begin, opening.first)).simple().execute()
    const asked = ask(connection)
    const ended = connection.unsafe('commit').simple().execute()
    // The connection is released only when nothing is running on it.
    await Promise.race([Promise.allSettled([begun, asked, ended]), connection.lost])
    const [, answer] = await Promise.all([begun, asked, ended])
    return answer
  })
}

/** Reserves a connection for the duration of `work`. */
async function onConnection<Result>(
  database: Transactable,
  work: (connection: HeldConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await whileCounted('waiting', () => holdConnection(database))
  try {
    return await whileCounted('open', () => work(connection))
  } finally {
    connection.release()
  }
}

async function whileCounted<Result>(state: keyof typeof transactionCounts, work: () => Promise<Result>): Promise<Result> {
  transactionCounts[state]++
  try {
    return await work()
  } finally {
    transactionCounts[state]--
  }
}

/** Reserves a connection of the pool for the caller, until it is released. */
export async function holdConnection(database: Transactable): Promise<HeldConnection> {
  const connection = await database.reserve()
  if (!('lost' in connection)) throw new Error('The Postgres driver lacks its corrections: run `npm install`.')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the driver's types do not know its corrections
  return connection as HeldConnection
}

/** Sends the last statement and rejects all later ones: statements that `work` left running would be committed on their own. */
async function endWith(connection: HeldConnection, last: 'commit' | 'rollback'): Promise<void> {
  const ended = connection.unsafe(last).simple().execute()
  // The driver sends it in the next microtask; this resumes in the one after.
  await Promise.resolve()
  connection.refuse(new Error('This transaction has ended.'))
  const { command } = await ended
  if (last === 'commit' && command !== 'COMMIT')
    throw new Error('A statement of the transaction had failed, so that nothing was committed.')
}

async function inSavepoint<Result>(outer: Sql, { first }: Opening, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  // Names may repeat: a savepoint name refers to the innermost one.
  await outer.unsafe(textOf('savepoint joined', first)).simple()
  const inner = closable(outer)
  try {
    allowBeforeCommit(inner.sql)
    const value = await work(inner.sql)
    await sendBeforeCommit(inner.sql)
    await outer.unsafe('release savepoint joined').simple()
    return value
  } catch (error) {
    // Statements that `work` left running would join the outer transaction.
    inner.close()
    await outer.unsafe('rollback to savepoint joined; release savepoint joined').simple()
    throw error
  }
}

/** Wraps the connection until it is closed; then every further statement throws. */
function closable(outer: Sql): { sql: Sql; close: () => void } {
  let closed = false
  const assertOpen = () => {
    if (closed) throw new Error('This transaction has ended.')
  }
  const sql = new Proxy(outer, {
    apply(target, self, values) {
      assertOpen()
      return Reflect.apply(target, self, values)
    },
    get(target, name) {
      if (name === 'unsafe') assertOpen()
      return Reflect.get(target, name)
    },
  })
  return { sql, close: () => (closed = true) }
}

function textOf(begin: string, first: string | undefined): string {
  return first ? `${begin};${first}` : begin
}
