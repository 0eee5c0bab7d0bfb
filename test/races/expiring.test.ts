// The hour against the pen: a signature under the lock before the hour counts, a later one does not, whether or not the sweep was there.
import { sendEnvelope } from '#core/envelope/send-envelope.ts'
import { expireEnvelopes } from '#core/envelope/expire-envelopes.ts'
import type { SigningToken } from '#core/envelope/send-envelope.ts'
import { signEnvelope } from '#core/envelope/ceremony/sign-envelope.ts'
import type { EnvelopeId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { inOrder, outcomeOf } from '../support/invariants/races/arrange.ts'
import { lockRow, MANY, ONE_BY_ONE, playRounds, SOME } from '../support/invariants/races/rounds.ts'
import { NOWHERE, raceWorld, type World } from '../support/invariants/races/world.ts'
import { SIGNATURE_IMAGE } from '../support/clients/signer.ts'

let world: World

beforeAll(async () => {
  world = await raceWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const sweep = async () => `swept ${await expireEnvelopes(world.service.system)}`
const statusOf = async (id: string) => {
  const [row] = await world.service.database.owner`select status from envelopes where id = ${id}`
  return row!['status']
}

/** Sets the hour of the envelope and its links to so many milliseconds from now, on a whole millisecond as callers name them. */
async function lapseIn(sql: Sql, id: string, milliseconds: number): Promise<void> {
  const at = sql`date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => ${milliseconds / 1000})`
  await sql`update signing_links set expires_at = ${at} where envelope_id = ${id}`
  await sql`update envelopes set lapses_at = l.expires_at, expires_at = l.expires_at from signing_links l where id = ${id} and l.envelope_id = id`
}

async function untilLapsed(id: string): Promise<void> {
  const { owner } = world.service.database
  while ((await owner`select 1 from envelopes where id = ${id} and (lapses_at <= now() or ended_at is not null)`).length === 0);
}

/** A call of sign that has passed every gate and stands before its last transaction until `goOn`. */
function signingHand(token: SigningToken): { ready: Promise<void>; goOn: () => Promise<unknown> } {
  const ready = Promise.withResolvers<void>()
  const drawn = Promise.withResolvers<Buffer>()
  const draw = () => {
    ready.resolve()
    return drawn.promise
  }
  const { threads } = world.core
  const core = { ...world.core, threads: { ...threads, drawing: { ...threads.drawing, draw } } }
  const signing = signEnvelope(core, token.token, { signatureImage: SIGNATURE_IMAGE, language: 'en' }, NOWHERE)
  signing.catch(() => {}) // rejects in goOn
  return {
    ready: ready.promise,
    goOn: () => {
      drawn.resolve(Buffer.from('drawn'))
      return signing
    },
  }
}

type Viewed = Awaited<ReturnType<World['viewed']>>
interface Raised {
  id: EnvelopeId
  hand: ReturnType<typeof signingHand>
}

/** By turns with a second signer, for whom the envelope then waits, and without. */
const byOneOrTwo = (round: number) => world.viewed({ signers: round % 2 ? [ADA] : [ADA, BEN] })

async function raised({ id, tokens }: Viewed): Promise<Raised> {
  const hand = signingHand(tokens[0]!)
  await hand.ready
  return { id, hand }
}

describe('sign against the hour', () => {
  test('in line before the hour: signed, and the sweep passes over it', async () => {
    const { database } = world.service
    const play = async ({ id, tokens }: Viewed, round: number) => {
      const lapse = async () => {
        // By now the signer's transaction has begun and waits; the hour comes while it does.
        await lapseIn(holder!, id, 1)
        await new Promise<void>((resolve) => setImmediate(resolve))
        return sweep()
      }
      let holder: Sql | undefined
      const lock = (sql: Sql) => lockRow((holder = sql), id)
      expect(await inOrder(database, lock, [() => world.sign(tokens[0]!), lapse])).toEqual(['done', 'swept 0'])
      await untilLapsed(id)
      expect(await sweep()).toBe(round % 2 ? 'swept 0' : 'swept 1')
      expect(await statusOf(id)).toBe(round % 2 ? 'COMPLETED' : 'EXPIRED')
      return [id]
    }
    await playRounds(world, { rounds: SOME, atOnce: ONE_BY_ONE, prepare: byOneOrTwo, play })
  })

  // requirements: decisions/envelopes/sign against expiry or cancel, decisions/envelopes/who expires
  test('behind the sweep: expired, and the signer sees it', async () => {
    const { database } = world.service
    const { orgId } = world.caller
    const play = async ({ id, hand }: Raised) => {
      await lapseIn(database.owner, id, -1)
      // The sweep has the envelope and waits for the organisation's counter; the signer stands behind it.
      const lock = (sql: Sql) => sql`select from organisations where id = ${orgId} for update`
      expect(await inOrder(database, lock, [sweep, hand.goOn])).toEqual(['swept 1', 'ENVELOPE_NOT_OPEN'])
      return [id]
    }
    await playRounds(world, { rounds: MANY, atOnce: ONE_BY_ONE, prepare: (round) => byOneOrTwo(round).then(raised), play })
  })

  test('where no sweep has been: the gate alone refuses', async () => {
    const { database } = world.service
    const play = async ({ id, hand }: Raised) => {
      await lapseIn(database.owner, id, -1)
      expect(await outcomeOf(hand.goOn)).toBe('ENVELOPE_NOT_OPEN')
      expect(await statusOf(id)).toBe('SENT')
      expect(await sweep()).toBe('swept 1')
      return [id]
    }
    await playRounds(world, { rounds: SOME, atOnce: ONE_BY_ONE, prepare: () => world.viewed().then(raised), play })
  })

  test('as it comes: signed or expired, never both, and no signature from after the hour', async () => {
    const seen: Record<string, number> = {}
    const play = async ({ id, hand }: Raised, round: number) => {
      // Every twelfth has all the time in the world, however slow the machine.
      await lapseIn(world.service.database.owner, id, round % 12 === 11 ? 600_000 : round % 12)
      const [signed] = await Promise.all([outcomeOf(hand.goOn), untilLapsed(id).then(sweep), sweep()])
      await sweep() // passed over whatever the signer held
      const status = await statusOf(id)
      expect([`done COMPLETED`, 'ENVELOPE_NOT_OPEN EXPIRED']).toContain(`${signed} ${status}`)
      seen[status] = (seen[status] ?? 0) + 1
      return [id]
    }
    await playRounds(world, { rounds: MANY, atOnce: ONE_BY_ONE, prepare: () => world.viewed().then(raised), play })
    expect(Object.keys(seen).toSorted(), 'both came').toEqual(['COMPLETED', 'EXPIRED'])
  })
})

test('send against the sweep: a draft whose hour has come is not sent', async () => {
  const { database } = world.service
  const { orgId } = world.caller
  const play = async (id: EnvelopeId) => {
    await database.owner`update envelopes set lapses_at = now(), expires_at = now() where id = ${id}`
    const lock = (sql: Sql) => sql`select from organisations where id = ${orgId} for update`
    const send = () => sendEnvelope(world.core, world.caller, id)
    expect(await inOrder(database, lock, [sweep, send])).toEqual(['swept 1', 'ENVELOPE_NOT_DRAFT'])
    return [id]
  }
  await playRounds(world, { rounds: SOME, atOnce: ONE_BY_ONE, prepare: () => world.draft(), play })
})
