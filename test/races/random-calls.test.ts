// Random calls on the same few envelopes while every sweep runs without a pause. There is no
// deadlock, every failure is a domain error, and in the end every rule holds for every envelope.
import { recordViewOpened } from '#core/envelope/ceremony/record-view.ts'
import { addSigner } from '#core/envelope/add-signer.ts'
import { cancelEnvelope } from '#core/envelope/cancel-envelope.ts'
import { deleteDraft } from '#core/envelope/delete-draft.ts'
import { getEnvelope } from '#core/envelope/get-envelope.ts'
import { sendEnvelope, type SigningToken } from '#core/envelope/send-envelope.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clockJobs } from '../../controller/clock/jobs.ts'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { outcomeOf } from '../support/invariants/races/arrange.ts'
import { assertSound } from '../support/invariants/races/rounds.ts'
import { NOWHERE, raceWorld, type World } from '../support/invariants/races/world.ts'

const ENVELOPES = 60
const CALLERS = 10
const CALLS_EACH = 120

let world: World

beforeAll(async () => {
  world = await raceWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Numbers that look random and are the same in every run (Numerical Recipes' generator). */
function seededRandom(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

test('no deadlock, no unexpected error, and every rule holds', async () => {
  const { core, caller, service } = world
  const ids = await Promise.all(Array.from({ length: ENVELOPES }, () => world.draft({ signers: [ADA, BEN] })))
  const tokens = new Map<string, SigningToken[]>()
  const seen = new Map<string, number>()

  type Act = (id: EnvelopeId, token: SigningToken | undefined) => unknown
  const sign: Act = async (_id, token) => {
    if (token) await recordViewOpened(core, token.token, NOWHERE)
    return token && world.sign(token)
  }
  const send: Act = async (id) => tokens.set(id, (await sendEnvelope(core, caller, id)).signingTokens)
  const often: Act[] = [send, sign, sign, (id) => addSigner(core, caller, id, BEN), (id) => getEnvelope(core, caller, id)]
  const rare: Act[] = [
    (id) => cancelEnvelope(core, caller, id),
    (id) => deleteDraft(core, caller, id),
    // It expires now, whatever its status is.
    (id) => service.database.owner`update envelopes set lapses_at = now() where id = ${id} and ended_at is null`,
  ]
  async function oneCall(roll: (sides: number) => number): Promise<unknown> {
    const id = ids[roll(ids.length)]!
    const acts = roll(12) === 0 ? rare : often
    return acts[roll(acts.length)]!(id, tokens.get(id)?.[roll(2)])
  }

  const working = Promise.all(
    Array.from({ length: CALLERS }, async (_, number) => {
      const roll = seededRandom(number + 1)
      for (let call = 0; call < CALLS_EACH; call++) {
        const outcome = await outcomeOf(() => oneCall(roll))
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
    }),
  )
  const over = new AbortController()
  const sweeping = [...clockJobs(service.system), { run: () => service.sendMails().then(() => 0) }].map(async ({ run }) => {
    while (!over.signal.aborted) await run()
  })
  await working.finally(() => over.abort())
  await Promise.all(sweeping)
  await clockJobs(service.system)[0]!.run()

  expect(seen.get('SERVICE_UNAVAILABLE')).toBe(undefined)
  expect(seen.get('done')).toBeGreaterThan(CALLERS * CALLS_EACH * 0.3)
  await assertSound(world, ids)
  const ends = await service.database.owner`select distinct status from envelopes order by status`
  expect(ends.map(({ status }) => status)).toEqual(expect.arrayContaining(['CANCELLED', 'COMPLETED', 'EXPIRED']))
})
