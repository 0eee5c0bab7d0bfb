// Races in rounds, each followed by a check of every invariant of its envelope. Rounds are prepared in batches, run concurrently, and
// checked with one query per batch, so that the time goes into the races.
import { runs } from '../../builders/properties.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { expect } from 'vitest'
import { inParallel } from '../../builders/in-parallel.ts'
import { type Contender, freely, inOrder, type Outcome } from './arrange.ts'
import { brokenCounters, brokenRules } from './invariants.ts'
import type { World } from './world.ts'

/** Rounds of a race, and of its variants by caller. */
export const MANY = runs(60)
export const SOME = runs(30)

/** Concurrent rounds, where none locks a row that others need: each has its own connection. */
export const SIDE_BY_SIDE = 4
export const ONE_BY_ONE = 1

const BATCH = 30
const HEAD_STARTS = 30

export interface Rounds<Prepared> {
  rounds: number
  atOnce: typeof SIDE_BY_SIDE | typeof ONE_BY_ONE
  prepare: (round: number) => Promise<Prepared>
  /** Resolves with the envelopes whose invariants are checked. */
  play: (prepared: Prepared, round: number) => Promise<readonly string[]>
}

/** Plays the rounds. Rejects with the first failure, or when an invariant is broken after a batch. */
export async function playRounds<Prepared>(world: World, { rounds, atOnce, prepare, play }: Rounds<Prepared>): Promise<void> {
  for (let first = 0; first < rounds; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, rounds - first) }, (_, index) => first + index)
    const prepared = await Promise.all(numbers.map(async (round) => ({ round, value: await prepare(round) })))
    const played = await inParallel(prepared, atOnce, ({ round, value }) => play(value, round))
    await assertSound(world, played.flat())
  }
}

export interface Round {
  id: string
  first: Contender
  second: Contender
}

/** How often each pair of outcomes occurred, first contender's and second's, by who was first in the queue. */
export interface Tally {
  firstInFront: Record<string, number>
  secondInFront: Record<string, number>
  freely: Record<string, number>
}

/** Runs this many rounds on an envelope's row: a third with the first contender ahead, a third with the second, a third unordered. */
export async function race(world: World, rounds: number, prepare: () => Promise<Round>): Promise<Tally> {
  const tally = newTally()
  const play = async ({ id, first, second }: Round, round: number) => {
    await meet(world, tally, { round, first, second, lock: (sql) => lockRow(sql, id) })
    return [id]
  }
  await playRounds(world, { rounds, atOnce: SIDE_BY_SIDE, prepare, play })
  return tally
}

export function newTally(): Tally {
  return { firstInFront: {}, secondInFront: {}, freely: {} }
}

export interface Meeting {
  round: number
  first: Contender
  second: Contender
  /** Locks the row that both need. */
  lock: (sql: Sql) => Promise<unknown>
}

/** Lets two contenders meet in this round's order, and counts the outcomes. */
export async function meet(world: World, tally: Tally, { round, first, second, lock }: Meeting): Promise<void> {
  const { database } = world.service
  const count = (way: keyof Tally, outcomes: readonly (Outcome | undefined)[]) => {
    const pair = outcomes.join(', ')
    tally[way][pair] = (tally[way][pair] ?? 0) + 1
  }
  if (round % 3 === 0) count('firstInFront', await inOrder(database, lock, [first, second]))
  else if (round % 3 === 1) count('secondInFront', (await inOrder(database, lock, [second, first])).toReversed())
  else count('freely', await freely(database, [first, second], Math.floor(round / 3) % HEAD_STARTS))
}

/** Throws, with the envelope and the broken invariant, unless every invariant holds for these envelopes and their organisation's counters. */
export async function assertSound(world: World, ids: readonly string[]): Promise<void> {
  const { owner } = world.service.database
  const { orgId } = world.caller
  const [breaches, counters] = await Promise.all([brokenRules(owner, world.core, orgId, ids), brokenCounters(owner, orgId)])
  const broken = [...breaches.map(({ rule, envelopeId }) => `"${rule}" of ${envelopeId}`), ...counters.map((rule) => `"${rule}"`)]
  if (broken.length > 0) throw new Error(`Broken: ${broken.join(', ')}.`)
}

/** Expects that both met in every round: whichever was ahead had the first pair of outcomes, or the second, never another. */
export function expectEither(tally: Tally, whenFirst: string, whenSecond: string): void {
  expect(Object.keys(tally.firstInFront)).toEqual([whenFirst])
  expect(Object.keys(tally.secondInFront)).toEqual([whenSecond])
  expect(Object.keys(tally.freely).filter((pair) => pair !== whenFirst && pair !== whenSecond)).toEqual([])
}

/** The row that every change of an envelope locks first. */
export function lockRow(sql: Sql, id: string): Promise<unknown> {
  return sql`select from envelopes where id = ${id} for update`
}
