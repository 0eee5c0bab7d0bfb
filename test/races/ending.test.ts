// Two acts of which one ends the envelope: the first with its row wins, the other gets an error, and all records agree.
import { cancelEnvelope } from '#core/envelope/cancel-envelope.ts'
import { recordViewOpened } from '#core/envelope/ceremony/record-view.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { expectEither, MANY, race, SOME } from '../support/invariants/races/rounds.ts'
import { NOWHERE, raceWorld, type World } from '../support/invariants/races/world.ts'

let world: World

beforeAll(async () => {
  world = await raceWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const cancel = (id: Parameters<typeof cancelEnvelope>[2]) => cancelEnvelope(world.core, world.caller, id)

describe('sign against cancel', () => {
  // requirements: decisions/envelopes/sign against expiry or cancel
  test('by a lone signer: the envelope is complete, or it is cancelled', async () => {
    const tally = await race(world, MANY, async () => {
      const { id, tokens } = await world.viewed()
      return { id, first: () => world.sign(tokens[0]!), second: () => cancel(id) }
    })
    expectEither(tally, 'done, ENVELOPE_NOT_CANCELLABLE', 'ENVELOPE_NOT_OPEN, done')
    expect(Object.keys(tally.freely), 'free rounds went both ways').toHaveLength(2)
  })

  test('by one of two: it is cancelled with one signature or with none', async () => {
    const tally = await race(world, SOME, async () => {
      const { id, tokens } = await world.viewed({ signers: [ADA, BEN] })
      return { id, first: () => world.sign(tokens[0]!), second: () => cancel(id) }
    })
    expectEither(tally, 'done, done', 'ENVELOPE_NOT_OPEN, done')
  })
})

test('a first view against cancel: it is seen and then cancelled, or never seen', async () => {
  const tally = await race(world, SOME, async () => {
    const { id, tokens } = await world.sent()
    return { id, first: () => recordViewOpened(world.core, tokens[0]!.token, NOWHERE), second: () => cancel(id) }
  })
  expectEither(tally, 'done, done', 'ENVELOPE_NOT_OPEN, done')
})

test('cancel twice: one cancels, receivers get one event', async () => {
  const tally = await race(world, SOME, async () => {
    const { id } = await world.sent()
    return { id, first: () => cancel(id), second: () => cancel(id) }
  })
  expectEither(tally, 'done, ENVELOPE_NOT_CANCELLABLE', 'ENVELOPE_NOT_CANCELLABLE, done')
})
