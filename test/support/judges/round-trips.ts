// Records an operation's round trips to Postgres, for tests that pin the number of statements: they are most of an envelope's cost.
import type { Database } from '#core/platform/postgres/client.ts'

export interface TripRecorder {
  /** For the driver's `debug`. */
  note: (connection: number, statement: string) => void
  /** The statements since the last call, per round trip, each as its verb and first table. */
  take: () => string[][]
}

/** Statements that are sent before an answer arrives share a round trip. */
export function recordTrips(): TripRecorder {
  let trips: string[][] = []
  let leaving: string[] | undefined
  return {
    note(_connection, statement) {
      if (!leaving) {
        leaving = []
        trips.push(leaving)
        // An answer is processed in a later turn of the event loop.
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

/**
 * The operation's round trips in the pool, without single reads, which have their own connection. `database` must have prepared every
 * statement before: a new one costs an extra round trip.
 */
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
  // The `from` in `extract(epoch from ...)` is not followed by a table.
  const [, verb, table] = /(?<!epoch |for )\b(insert into|update|delete from|from|join) "?(\w+)/.exec(statement) ?? []
  return verb && table ? `${verb} ${table}` : (/\w+/.exec(statement)?.[0] ?? '')
}
