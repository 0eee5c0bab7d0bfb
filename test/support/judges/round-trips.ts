// What an operation asks of Postgres, by round trip: for tests that hold the number of statements, which are most of what an envelope costs.
import type { Database } from '#core/platform/postgres/client.ts'

export interface TripRecorder {
  /** For the driver's `debug`. */
  note: (connection: number, statement: string) => void
  /** What has been asked since the last time: the statements of each trip, by what they do to the first table that they name. */
  take: () => string[][]
}

/** Statements that are asked for before an answer comes in travel together. */
export function recordTrips(): TripRecorder {
  let trips: string[][] = []
  let leaving: string[] | undefined
  return {
    note(_connection, statement) {
      if (!leaving) {
        leaving = []
        trips.push(leaving)
        // An answer is read in a later turn of the event loop.
        setImmediate(() => (leaving = undefined))
      }
      leaving.push(nameOf(statement))
    },
    take() {
      const taken = trips
      trips = []
      return taken
    },
  }
}

/** The trips of `operation` in the pool, without single reads, which have a connection of their own. `database` knows every statement already: what
 *  is new to a connection takes a round trip more. */
export async function roundTripsOf(database: Database, operation: () => Promise<unknown>): Promise<string[][]> {
  const recorder = recordTrips()
  database.options.debug = recorder.note
  try {
    await operation()
  } finally {
    database.options.debug = false
  }
  return recorder.take()
}

function nameOf(statement: string): string {
  // The `from` of `extract(epoch from ...)` names no table.
  const [, verb, table] = /(?<!epoch |for )\b(insert into|update|delete from|from|join) "?(\w+)/.exec(statement) ?? []
  return verb && table ? `${verb} ${table}` : (/\w+/.exec(statement)?.[0] ?? '')
}
