// Signers at the same moment: no signature is lost, counted twice or reported in two orders.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { expectEither, MANY, race, SOME } from '../support/invariants/races/rounds.ts'
import { raceWorld, type World } from '../support/invariants/races/world.ts'

let world: World

beforeAll(async () => {
  world = await raceWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const CLEO = { email: 'cleo@example.test', name: 'Cleo Signer' }

async function statusOf(id: string): Promise<string> {
  const [row] = await world.service.database.owner`select status from envelopes where id = ${id}`
  return row!['status']
}

test('two of three signers: both have signed, and the third is still awaited', async () => {
  const seen: string[] = []
  const tally = await race(world, MANY, async () => {
    const { id, tokens } = await world.viewed({ signers: [ADA, BEN, CLEO] })
    seen.push(id)
    return { id, first: () => world.sign(tokens[0]!), second: () => world.sign(tokens[1]!) }
  })
  expectEither(tally, 'done, done', 'done, done')
  expect(await statusOf(seen.at(-1)!)).toBe('IN_PROGRESS')
})

test('the last two: the envelope completes once, with the later of them', async () => {
  const seen: string[] = []
  const tally = await race(world, MANY, async () => {
    const { id, tokens } = await world.viewed({ signers: [ADA, BEN] })
    seen.push(id)
    return { id, first: () => world.sign(tokens[0]!), second: () => world.sign(tokens[1]!) }
  })
  expectEither(tally, 'done, done', 'done, done')
  expect(await Promise.all(seen.map(statusOf))).toEqual(seen.map(() => 'COMPLETED'))
})

// requirements: decisions/links/second sign
test('one signer twice: one signature, and the other call gets an error', async () => {
  const tally = await race(world, MANY, async () => {
    const { id, tokens } = await world.viewed({ signers: [ADA, BEN] })
    return { id, first: () => world.sign(tokens[0]!), second: () => world.sign(tokens[0]!) }
  })
  expectEither(tally, 'done, ALREADY_SIGNED', 'ALREADY_SIGNED, done')
})

test('a lone signer twice: the envelope completes once', async () => {
  const tally = await race(world, SOME, async () => {
    const { id, tokens } = await world.viewed()
    return { id, first: () => world.sign(tokens[0]!), second: () => world.sign(tokens[0]!) }
  })
  expectEither(tally, 'done, ALREADY_SIGNED', 'ALREADY_SIGNED, done')
})

test('in turn, the first signer twice: the second is let in once, by one mail', async () => {
  const tally = await race(world, SOME, async () => {
    const { id, tokens } = await world.viewed({ signers: [ADA, BEN], sequentialSigning: true })
    return { id, first: () => world.sign(tokens[0]!), second: () => world.sign(tokens[0]!) }
  })
  expectEither(tally, 'done, ALREADY_SIGNED', 'ALREADY_SIGNED, done')
})
