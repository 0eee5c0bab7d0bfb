// Every decision uses the database's time: all replicas share it, and a process's wrong clock changes nothing.
// `currentTime` gives it without a round trip each time: read once a second, and extrapolated with this process's monotonic clock. Its wall clock is not
// used.
import type { Database, Sql } from './client.ts'

const SAMPLE_FOR_MS = 1_000

interface Sample {
  databaseMs: number
  takenAtMs: number
}

const samples = new WeakMap<Database, { sample?: Sample; pending?: Promise<Sample> }>()

/** The start of the current transaction, by the database clock. */
export async function databaseNow(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select sealwright_now() as now`
  if (!row) throw new Error('The database did not tell the time.')
  return row.now
}

/** The database's time, exact to within one round trip. A statement that can use sealwright_now() is more exact. */
export async function currentTime(database: Database): Promise<Date> {
  const { sample } = samples.get(database) ?? {}
  const isFresh = sample && performance.now() - sample.takenAtMs < SAMPLE_FOR_MS
  const { databaseMs, takenAtMs } = isFresh ? sample : await refreshClock(database)
  return new Date(databaseMs + performance.now() - takenAtMs)
}

/** Reads the database's time now; concurrent callers share the result. */
export async function refreshClock(database: Database): Promise<Sample> {
  const state = samples.get(database) ?? {}
  samples.set(database, state)
  state.pending ??= takeSample(database).finally(() => delete state.pending)
  state.sample = await state.pending
  return state.sample
}

async function takeSample(database: Database): Promise<Sample> {
  const databaseMs = (await databaseNow(database)).getTime()
  return { databaseMs, takenAtMs: performance.now() }
}
