// One transaction on a connection of its own. Its beginning is not waited for: it travels with the first statement. What follows its end, or the loss
// of its connection, is refused, because by then the connection may be somebody else's.
import { openClosing, sendClosing } from './before-commit.ts'
import type { Database, Sql, Statement } from './sql.ts'
import { transactionCounts } from './transaction-counts.ts'

type Reserved = Awaited<ReturnType<Database['reserve']>>

/** A reserved connection with what `hack/patch-packages.mjs` adds to it. */
export interface HeldConnection extends Reserved {
  /** Rejects when the connection is lost, never resolves. */
  lost: Promise<never>
  /** Every further statement rejects with the reason. */
  refuse: (reason: Error) => void
}

export interface Opening {
  begin: 'begin' | 'begin isolation level repeatable read read only'
  /** What the transaction begins with: a statement without parameters. */
  first?: string
}

/** A pool, or what joins the transaction of another. */
export type Transactable = Pick<Database, 'reserve'>

/** Databases whose transactions are savepoints of a transaction that is already under way. */
const outerOf = new WeakMap<Transactable, Sql>()

/** From now on the transactions of `database` are savepoints of `outer`. */
export function nestTransaction(database: Transactable, outer: Sql): void {
  outerOf.set(database, outer)
}

/** Runs `work` in a transaction, committed when it resolves and rolled back when it throws. Rejects at once when the connection is lost, whatever
 *  `work` still does. A statement that failed fails the whole, also where `work` has caught it. */
export async function transact<Result>(
  database: Transactable,
  opening: Opening,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const outer = outerOf.get(database)
  if (outer) return inSavepoint(outer, opening, work)
  return onConnection(database, async (connection) => {
    try {
      openClosing(connection)
      const begun = connection.unsafe(textOf(opening.begin, opening.first)).simple().execute()
      const [value] = await Promise.race([Promise.all([work(connection), begun]), connection.lost])
      const [closed, ended] = [sendClosing(connection), endWith(connection, 'commit')]
      await Promise.race([Promise.allSettled([closed, ended]), connection.lost])
      // In this order: why there was no commit comes first.
      await closed
      await ended
      return value
    } catch (error) {
      // Where that fails the connection is gone, and the server rolls back by itself.
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

/** A transaction of two statements that need nothing from each other, in a single round trip. */
export async function pipelinedTransaction<First extends object, Second extends object>(
  database: Transactable,
  opening: Opening,
  [first, second]: readonly [Statement<First>, Statement<Second>],
): Promise<[First[], Second[]]> {
  return inOneTrip(database, opening, (sql) => Promise.all([first(sql).execute(), second(sql).execute()]))
}

/** `ask` puts all its statements on the way before it returns. */
async function inOneTrip<Answer>(database: Transactable, opening: Opening, ask: (sql: Sql) => Promise<Answer>): Promise<Answer> {
  const outer = outerOf.get(database)
  if (outer) return inSavepoint(outer, opening, ask)
  return onConnection(database, async (connection) => {
    // NOTE: `execute` puts them on the way in this order; a query that is merely awaited sets out later.
    const begun = connection.unsafe(textOf(opening.begin, opening.first)).simple().execute()
    const asked = ask(connection)
    const ended = connection.unsafe('commit').simple().execute()
    // Nobody gets the connection with something still under way.
    await Promise.race([Promise.allSettled([begun, asked, ended]), connection.lost])
    const [, answer] = await Promise.all([begun, asked, ended])
    return answer
  })
}

/** Holds a connection for as long as `work` takes. */
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

/** A connection of the pool for the caller alone, until it is released. */
export async function holdConnection(database: Transactable): Promise<HeldConnection> {
  const connection = await database.reserve()
  if (!('lost' in connection)) throw new Error('The Postgres driver lacks its corrections: run `npm install`.')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the driver's types do not know its corrections
  return connection as HeldConnection
}

/** Sends the last statement, and nothing after it: what `work` has left running would be committed by itself. */
async function endWith(connection: HeldConnection, last: 'commit' | 'rollback'): Promise<void> {
  const ended = connection.unsafe(last).simple().execute()
  // The driver puts it on the way in the next microtask; this is the one after.
  await Promise.resolve()
  connection.refuse(new Error('This transaction has ended.'))
  const { command } = await ended
  if (last === 'commit' && command !== 'COMMIT')
    throw new Error('A statement of the transaction had failed, so that nothing was committed.')
}

async function inSavepoint<Result>(outer: Sql, { first }: Opening, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  // Names may repeat: the innermost one is meant.
  await outer.unsafe(textOf('savepoint joined', first)).simple()
  const inner = closable(outer)
  try {
    openClosing(inner.sql)
    const value = await work(inner.sql)
    await sendClosing(inner.sql)
    await outer.unsafe('release savepoint joined').simple()
    return value
  } catch (error) {
    // What `work` has left running would be part of the outer transaction.
    inner.close()
    await outer.unsafe('rollback to savepoint joined; release savepoint joined').simple()
    throw error
  }
}

/** The same connection until it is closed: then every further statement throws. */
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
