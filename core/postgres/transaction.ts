// Transactions that end with their connection. The driver goes on sending what a transaction asks for when its connection is lost: its rollback ends
// the process, its other statements find their way into whatever that connection is used for next, somebody else's transaction. Here nothing follows.
import type postgres from 'postgres'
import { isLostConnection } from './postgres-error.ts'

type Types = { int8: number }
type Transaction = postgres.TransactionSql<Types>

/** Runs `work` in a transaction, committed when it resolves and rolled back when it throws; `options` as after BEGIN. Once the connection is lost
 *  it rejects, whatever `work` still does, and every further statement of `work` throws. */
export async function transact<Result>(
  database: postgres.Sql<Types>,
  options: string,
  work: (sql: Transaction) => Promise<Result>,
): Promise<Result> {
  const life = newLife()
  const whole = database.begin(options, async (sql) => ({ value: await life.attend(() => work(watch(sql, life))) }))
  // The driver rejects at once when the connection closes, also while `work` waits for something else.
  whole.catch(life.end)
  const { value } = await Promise.race([whole, life.lost])
  return value
}

interface Life {
  /** Settles as `work` does while the connection lives, and never afterwards: the driver would send a commit or a rollback. */
  attend: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Throws once the connection is lost. */
  assertAlive: () => void
  end: (reason: unknown) => void
  /** Rejects when the connection is lost, never resolves. */
  lost: Promise<never>
}

function newLife(): Life {
  const { promise: lost, reject } = Promise.withResolvers<never>()
  // Whoever waits for the transaction hears of it; a transaction that failed for another reason has nobody left who waits.
  lost.catch(() => {})
  let end: { reason: unknown } | undefined
  const life: Life = {
    lost,
    end(reason) {
      end ??= { reason }
      reject(reason)
    },
    assertAlive() {
      if (end) throw new Error('The connection of this transaction is lost.', { cause: end.reason })
    },
    async attend(work) {
      try {
        const result = await work()
        if (!end) return result
      } catch (error) {
        if (!end && !isLostConnection(error)) throw error
        life.end(error)
      }
      return new Promise<never>(() => {})
    },
  }
  return life
}

function watch(sql: Transaction, life: Life): Transaction {
  return new Proxy(sql, {
    apply(target, self, values) {
      life.assertAlive()
      return Reflect.apply(target, self, values)
    },
    get(target, name) {
      if (name === 'savepoint') return (work: (sql: Transaction) => Promise<unknown>) => savepoint(target, life, work)
      if (name === 'unsafe') life.assertAlive()
      return Reflect.get(target, name)
    },
  })
}

async function savepoint(sql: Transaction, life: Life, work: (sql: Transaction) => Promise<unknown>): Promise<unknown> {
  life.assertAlive()
  return sql.savepoint((inner) => life.attend(() => work(watch(inner, life))))
}
