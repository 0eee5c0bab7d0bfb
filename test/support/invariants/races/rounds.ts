// Races in rounds, each ended by asking every rule of its envelope. What a round needs is prepared a batch at a time, several rounds are run at
// once, and the rules are asked of a whole batch by one query: the time goes into the races and not into what surrounds them.
import { runs } from '../../builders/properties.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { expect } from 'vitest'
import { inParallel } from '../../builders/in-parallel.ts'
import { type Contender, freely, inOrder, type Outcome } from './arrange.ts'
import { brokenCounters, brokenRules } from './invariants.ts'
import type { World } from './world.ts'

/** Rounds of a race, and of one that differs from another only in who runs it. */
export const MANY = runs(60)
export const SOME = runs(30)

/** Rounds at once, where none of them holds a row that others need and two contenders meet: each waits in a connection of its own. */
export const SIDE_BY_SIDE = 4
export const ONE_BY_ONE = 1

const BATCH = 30
const HEAD_STARTS = 30

export interface Rounds<Prepared> {
  rounds: number
  atOnce: typeof SIDE_BY_SIDE | typeof ONE_BY_ONE
  prepare: (round: number) => Promise<Prepared>
  /** Resolves with the envelopes whose rules are then asked. */
  play: (prepared: Prepared, round: number) => Promise<readonly string[]>
}

/** Plays the rounds. Rejects with the first failure, or when a rule is broken once the rounds of a batch are over. */
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

/** How often each pair of outcomes came, first contender's and second's, by who stood in front. */
export interface Tally {
  firstInFront: Record<string, number>
  secondInFront: Record<string, number>
  freely: Record<string, number>
}

/** Runs so many rounds for the row of an envelope: a third with the first in front, a third with the second, a third as it comes. */
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
  /** Takes what both need. */
  lock: (sql: Sql) => Promise<unknown>
}

/** Lets two meet, in the way that it is this round's turn, and counts what came of it. */
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

/** Throws, with the envelope and what is broken, unless every rule holds for each of these envelopes and for their organisation's counters. */
export async function assertSound(world: World, ids: readonly string[]): Promise<void> {
  const { owner } = world.service.database
  const { orgId } = world.caller
  const [breaches, counters] = await Promise.all([brokenRules(owner, world.core, orgId, ids), brokenCounters(owner, orgId)])
  const broken = [...breaches.map(({ rule, envelopeId }) => `"${rule}" of ${envelopeId}`), ...counters.map((rule) => `"${rule}"`)]
  if (broken.length > 0) throw new Error(`Broken: ${broken.join(', ')}.`)
}

/** That both contenders met in every round: whoever stood in front had the first answer pair, or the second, and nobody ever had another. */
export function expectEither(tally: Tally, whenFirst: string, whenSecond: string): void {
  expect(Object.keys(tally.firstInFront)).toEqual([whenFirst])
  expect(Object.keys(tally.secondInFront)).toEqual([whenSecond])
  expect(Object.keys(tally.freely).filter((pair) => pair !== whenFirst && pair !== whenSecond)).toEqual([])
}

/** What every change of an envelope must take first. */
export function lockRow(sql: Sql, id: string): Promise<unknown> {
  return sql`select from envelopes where id = ${id} for update`
}
