// The database's time without a round trip each time: it is asked once a second, and in between only how much time has passed is measured here.
// The wall clock of this process has no part in it.
import type { Database } from './client.ts'
import { databaseNow } from './now.ts'

const SAMPLE_FOR_MS = 1_000

interface Sample {
  databaseMs: number
  takenAtMs: number
}

const samples = new WeakMap<Database, { sample?: Sample; pending?: Promise<Sample> }>()

/** The time by the database, right to within the way of one answer. Where sealwright_now() can be part of a statement, that is better still. */
export async function currentTime(database: Database): Promise<Date> {
  const { sample } = samples.get(database) ?? {}
  const isFresh = sample && performance.now() - sample.takenAtMs < SAMPLE_FOR_MS
  const { databaseMs, takenAtMs } = isFresh ? sample : await refreshClock(database)
  return new Date(databaseMs + performance.now() - takenAtMs)
}

/** Asks the database now; who asks meanwhile gets the same answer. */
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
