// What an operation asks of Postgres, by round trip: for tests that hold the number of statements, which are most of what an envelope costs.
import type { Database } from '#core/postgres/client.ts'

/** The statements of `operation`, each by what it does to the first table that it names. What is asked before an answer comes in travels together.
 *  `database` knows every statement already: what is new to a connection takes a round trip more. */
export async function roundTripsOf(database: Database, operation: () => Promise<unknown>): Promise<string[][]> {
  const trips: string[][] = []
  let leaving: string[] | undefined
  database.options.debug = (_connection, statement) => {
    if (!leaving) {
      leaving = []
      trips.push(leaving)
      // An answer is read in a later turn of the event loop.
      setImmediate(() => (leaving = undefined))
    }
    leaving.push(nameOf(statement))
  }
  try {
    await operation()
  } finally {
    database.options.debug = false
  }
  return trips
}

function nameOf(statement: string): string {
  const [, verb, table] = /\b(insert into|update|delete from|from|join) (\w+)/.exec(statement) ?? []
  return verb && table ? `${verb} ${table}` : (/\w+/.exec(statement)?.[0] ?? '')
}
