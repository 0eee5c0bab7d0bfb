// One-time codes under many hands at once: parallel tries are no extra tries, and nothing is mailed twice.
import { requestOtp } from '#core/envelope/ceremony/request-otp.ts'
import { signEnvelope } from '#core/envelope/ceremony/sign-envelope.ts'
import { verifyOtp } from '#core/envelope/ceremony/verify-otp.ts'
import { recordViewOpened } from '#core/envelope/ceremony/record-view.ts'
import type { ChallengeId, EnvelopeId } from '#core/ids.ts'
import { mailContext } from '#core/mail/record-mail.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freely, inOrder } from '../support/invariants/races/arrange.ts'
import {
  expectEither,
  lockRow,
  MANY,
  ONE_BY_ONE,
  playRounds,
  race,
  SIDE_BY_SIDE,
  SOME,
} from '../support/invariants/races/rounds.ts'
import { NOWHERE, raceWorld, type World } from '../support/invariants/races/world.ts'
import { SIGNATURE_IMAGE } from '../support/clients/signer.ts'

let world: World

beforeAll(async () => {
  world = await raceWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

interface Asked {
  id: EnvelopeId
  token: string
  challengeId: ChallengeId
  code: string
}

/** A link that has been mailed a code, and the code. */
async function asked(): Promise<Asked> {
  const { id, tokens } = await world.sent({ otpRequired: true })
  const { token } = tokens[0]!
  const { challengeId } = await requestOtp(world.core, token, NOWHERE)
  const [mail] = await world.service.database.owner`
    select id, secret_box from mails where envelope_id = ${id} and template = 'ONE_TIME_CODE'`
  const code = world.core.keys.open(mail!['secretBox'], mailContext(mail!['id']))
  return { id, token, challengeId: challengeId!, code }
}

async function verify({ token, challengeId }: Asked, code: string): Promise<string> {
  const { verified } = await verifyOtp(world.core, token, { challengeId, code }, NOWHERE)
  return verified ? 'verified' : 'refused'
}

async function triesOf({ challengeId }: Asked): Promise<number> {
  const [row] = await world.service.database.owner`select tries from otp_challenges where id = ${challengeId}`
  return row!['tries']
}

describe('nine tries of one code, the right one among them', () => {
  test('in line: it counts within the first five, and no later', async () => {
    const play = async (link: Asked, round: number) => {
      const place = round % 9
      const tries = Array.from({ length: 9 }, (_, index) => () => verify(link, index === place ? link.code : `guess ${index}`))
      const outcomes = await inOrder(world.service.database, (sql: Sql) => lockRow(sql, link.id), tries)
      expect(outcomes.indexOf('verified')).toBe(place < 5 ? place : -1)
      expect(await triesOf(link)).toBe(Math.min(place + 1, 5))
      return [link.id]
    }
    await playRounds(world, { rounds: SOME, atOnce: ONE_BY_ONE, prepare: asked, play })
  })

  test('as they come: five are counted at most', async () => {
    const seen = new Set<boolean>()
    const play = async (link: Asked, round: number) => {
      const codes = Array.from({ length: 9 }, (_, index) => (index === round % 9 ? link.code : `guess ${index}`))
      const outcomes = await Promise.all(codes.map((code) => verify(link, code)))
      seen.add(outcomes.includes('verified'))
      expect(outcomes.filter((outcome) => outcome === 'verified').length).toBeLessThanOrEqual(1)
      expect(await triesOf(link)).toBeLessThanOrEqual(5)
      return [link.id]
    }
    await playRounds(world, { rounds: SOME, atOnce: SIDE_BY_SIDE, prepare: asked, play })
    expect(seen.size).toBe(2)
  })
})

test('the right code twice: it is good once', async () => {
  const tally = await race(world, MANY, async () => {
    const link = await asked()
    return { id: link.id, first: () => verify(link, link.code), second: () => verify(link, link.code) }
  })
  expectEither(tally, 'verified, refused', 'refused, verified')
})

test('two requests for a code: one is mailed, both name the same challenge', async () => {
  const play = async ({ id, tokens }: Awaited<ReturnType<World['sent']>>, round: number) => {
    const challenges: Awaited<ReturnType<typeof requestOtp>>[] = []
    const ask = async () => challenges.push(await requestOtp(world.core, tokens[0]!.token, NOWHERE))
    if (round % 2) await inOrder(world.service.database, (sql) => lockRow(sql, id), [ask, ask])
    else await freely(world.service.database, [ask, ask], Math.floor(round / 2) % 8)
    expect(challenges.filter(({ resent }) => resent)).toHaveLength(1)
    expect(new Set(challenges.map(({ challengeId }) => challengeId)).size).toBe(1)
    expect(Math.max(...challenges.map(({ resendAvailableInSeconds }) => resendAvailableInSeconds))).toBeLessThanOrEqual(60)
    return [id]
  }
  const prepare = () => world.sent({ otpRequired: true })
  await playRounds(world, { rounds: MANY, atOnce: SIDE_BY_SIDE, prepare, play })
})

// requirements: decisions/links/permission after success
test('a code typed into two signings at once: one signature, by one try', async () => {
  const { database } = world.service
  const prepare = async () => {
    const link = await asked()
    await verify(link, link.code)
    await recordViewOpened(world.core, link.token, NOWHERE)
    await database.owner`update signing_links set otp_verified_at = null where envelope_id = ${link.id}`
    await database.owner`update otp_challenges set closed_at = null, tries = 0 where id = ${link.challengeId}`
    return link
  }
  const play = async (link: Asked) => {
    const { challengeId, code } = link
    const sign = () =>
      signEnvelope(
        world.core,
        link.token,
        { signatureImage: SIGNATURE_IMAGE, code: { challengeId, code }, language: 'en' },
        NOWHERE,
      )
    const outcomes = await inOrder(database, (sql) => lockRow(sql, link.id), [sign, sign])
    expect(outcomes.toSorted()).toEqual(['ALREADY_SIGNED', 'done'])
    return [link.id]
  }
  await playRounds(world, { rounds: SOME, atOnce: SIDE_BY_SIDE, prepare, play })
})
