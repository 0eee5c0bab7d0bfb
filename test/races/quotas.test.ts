// Many at the brim of a quota: exactly as many are accepted as there is room for, and the others change nothing.
import { createHash } from 'node:crypto'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Settings } from '#core/platform/config/settings.ts'
import type { Core } from '#core/context.ts'
import { storeUpload } from '#core/envelope/document/store-upload.ts'
import { createEnvelope } from '#core/envelope/create-envelope.ts'
import { sendEnvelope } from '#core/envelope/send-envelope.ts'
import type { EnvelopeId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { requestOtp } from '#core/envelope/ceremony/request-otp.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { outcomeOf, type Contender } from '../support/invariants/races/arrange.ts'
import {
  assertSound,
  expectEither,
  MANY,
  meet,
  newTally,
  ONE_BY_ONE,
  playRounds,
  type Tally,
} from '../support/invariants/races/rounds.ts'
import { NOWHERE, raceWorld, type World } from '../support/invariants/races/world.ts'
import { usageOf } from '../support/builders/rows.ts'
import { testService } from '../support/servers/test-service.ts'

const ROUNDS = 2
const CALLERS = 40

let world: World

beforeAll(async () => {
  world = await raceWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Quota = 'quotaOpenEnvelopes' | 'quotaEnvelopesSentPerDay' | 'quotaEmailsPerHour' | 'quotaStorageBytes'

const withQuota = (quota: Partial<Pick<Settings, Quota>>): Core => ({
  ...world.core,
  settings: { ...world.core.settings, ...quota },
})

const PLAIN = { title: 'Lease', signers: [ADA], documentIds: [], otpRequired: false, sequentialSigning: false, labels: [] }

async function atOnce(calls: readonly Contender[]): Promise<{ done: number; refused: number }> {
  const outcomes = await Promise.all(calls.map(outcomeOf))
  const count = (code: string) => outcomes.filter((outcome) => outcome === code).length
  return { done: count('done'), refused: count('QUOTA_EXCEEDED') }
}

/** In the window of now. */
async function usedOf(dimension: 'ENVELOPES_SENT_PER_DAY' | 'EMAILS_PER_HOUR'): Promise<number> {
  const window = dimension === 'EMAILS_PER_HOUR' ? 'hour' : 'day'
  const [row] = await world.service.database.owner`
    select coalesce(sum(used), 0)::int as used from quota_windows
    where org_id = ${world.caller.orgId} and dimension = ${dimension} and starts_at = date_trunc(${window}, sealwright_now())`
  return row!['used']
}

// requirements: decisions/token/quota dimensions
test('a hundred uploads with room for ten: ten are kept, over HTTP, and nothing is left of the rest', async () => {
  const pdf = await readFile(pdfFixture('reportlab.pdf'))
  await using own = await testService({
    SEALWRIGHT_QUOTA_STORAGE_BYTES: String(pdf.length * 11 - 1),
    SEALWRIGHT_RATE_UPLOADS_PER_MINUTE: '0',
    SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE: '0',
  })
  const answers = await Promise.all(Array.from({ length: 100 }, () => own.client.upload('/api/v1/documents', pdf)))
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([count(201), count(429)]).toEqual([10, 90])
  expect(await own.database.owner`select 1 from documents`).toHaveLength(10)
  expect((await usageOf(own.database.owner, own.organisation)).storageBytes).toBe(pdf.length * 10)
  const objects = []
  for await (const object of own.api.storage.list('', new Date(Date.now() + 1000))) objects.push(object.key)
  expect(objects).toHaveLength(10)
})

describe('forty at once with room for ten', () => {
  test('drafts', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { openEnvelopes } = await usageOf(world.service.database.owner, world.caller)
      const core = withQuota({ quotaOpenEnvelopes: openEnvelopes + 10 })
      const ids: string[] = []
      const create = async () => void ids.push((await createEnvelope(core, world.caller, PLAIN)).id)
      expect(await atOnce(Array.from({ length: CALLERS }, () => create))).toEqual({ done: 10, refused: 30 })
      await assertSound(world, ids)
    }
  })

  // requirements: decisions/token/quota dimensions
  test('envelopes to send today', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const core = withQuota({ quotaEnvelopesSentPerDay: (await usedOf('ENVELOPES_SENT_PER_DAY')) + 10 })
      const ids = await Promise.all(Array.from({ length: CALLERS }, () => world.draft()))
      const sends = ids.map((id) => () => sendEnvelope(core, world.caller, id))
      expect(await atOnce(sends)).toEqual({ done: 10, refused: 30 })
      await assertSound(world, ids)
    }
  })

  // requirements: decisions/token/quota dimensions
  test('mails: whole envelopes only, and the last mail is left for a code', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { tokens } = await world.sent({ otpRequired: true })
      const core = withQuota({ quotaEmailsPerHour: (await usedOf('EMAILS_PER_HOUR')) + 21 })
      const ids = await Promise.all(Array.from({ length: CALLERS }, () => world.draft({ signers: [ADA, BEN] })))
      const sends = ids.map((id) => () => sendEnvelope(core, world.caller, id))
      expect(await atOnce(sends)).toEqual({ done: 10, refused: 30 })
      expect((await requestOtp(core, tokens[0]!.token, NOWHERE)).resent).toBe(true)
      expect(await outcomeOf(() => sendEnvelope(core, world.caller, ids[0]!))).not.toBe('done')
      await assertSound(world, ids)
    }
  })
})

describe('two at once with room for one: one gets it', () => {
  // Counting restarts with each hour and day: no round of these may come across that.
  beforeAll(async () => {
    const halfPastNoon = new Date().setUTCHours(12, 30)
    await world.service.database.moveClock(Math.round((halfPastNoon - Date.now()) / 1_000))
  })
  afterAll(() => world.service.database.moveClock(0))

  /** `reach`: room for one more, what reaches for it, and the envelopes that are judged afterwards. */
  async function oneGetsIn(
    lock: (sql: Sql) => Promise<unknown>,
    reach: (
      drafts: readonly EnvelopeId[],
    ) => Promise<{ contenders: readonly [Contender, Contender]; ids: () => readonly string[] }>,
  ): Promise<Tally> {
    const tally = newTally()
    const play = async (drafts: readonly EnvelopeId[], round: number) => {
      const { contenders, ids } = await reach(drafts)
      await meet(world, tally, { round, first: contenders[0], second: contenders[1], lock })
      return ids()
    }
    const prepare = () => Promise.all([world.draft(), world.draft()])
    await playRounds(world, { rounds: MANY, atOnce: ONE_BY_ONE, prepare, play })
    return tally
  }

  /** In either case Postgres keeps no line for a row to which those in it refer already. */
  function expectOne({ firstInFront, secondInFront, freely }: Tally): void {
    const pairs = new Set([firstInFront, secondInFront, freely].flatMap((ways) => Object.keys(ways)))
    expect([...pairs].filter((pair) => pair !== 'done, QUOTA_EXCEEDED' && pair !== 'QUOTA_EXCEEDED, done')).toEqual([])
  }

  // As a counter is taken: who only refers to the organisation does not wait for it.
  const organisation = (sql: Sql) => sql`select from organisations where id = ${world.caller.orgId} for no key update`
  const window = (dimension: string) => (sql: Sql) =>
    sql`select from quota_windows where org_id = ${world.caller.orgId} and dimension = ${dimension} for update`
  const sends = (core: Core, [one, other]: readonly EnvelopeId[]) => {
    const contenders = [() => sendEnvelope(core, world.caller, one!), () => sendEnvelope(core, world.caller, other!)] as const
    return { contenders, ids: () => [one!, other!] }
  }

  test('drafts', async () => {
    const tally = await oneGetsIn(organisation, async () => {
      const { openEnvelopes } = await usageOf(world.service.database.owner, world.caller)
      const core = withQuota({ quotaOpenEnvelopes: openEnvelopes + 1 })
      const ids: string[] = []
      const create = async () => void ids.push((await createEnvelope(core, world.caller, PLAIN)).id)
      return { contenders: [create, create], ids: () => ids }
    })
    expectOne(tally)
  })

  test('storage', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'sealwright-quotas-'))
    const file = { path: path.join(folder.path, 'document.pdf'), filename: 'document.pdf', sizeBytes: 8 }
    await writeFile(file.path, '%PDF-1.7')
    const sha256 = createHash('sha256').update('%PDF-1.7').digest()
    const tally = await oneGetsIn(organisation, async () => {
      const { storageBytes } = await usageOf(world.service.database.owner, world.caller)
      const core = withQuota({ quotaStorageBytes: storageBytes + 15 })
      const upload = () => storeUpload(core, world.caller, { ...file, sha256 })
      return { contenders: [upload, upload], ids: () => [] }
    })
    expectOne(tally)
  })

  test('envelopes to send today', async () => {
    await world.sent() // the day's row, which is then held
    const tally = await oneGetsIn(window('ENVELOPES_SENT_PER_DAY'), async (drafts) => {
      return sends(withQuota({ quotaEnvelopesSentPerDay: (await usedOf('ENVELOPES_SENT_PER_DAY')) + 1 }), drafts)
    })
    expectEither(tally, 'done, QUOTA_EXCEEDED', 'QUOTA_EXCEEDED, done')
  })

  test('mails of an hour', async () => {
    await world.sent()
    const tally = await oneGetsIn(window('EMAILS_PER_HOUR'), async (drafts) => {
      return sends(withQuota({ quotaEmailsPerHour: (await usedOf('EMAILS_PER_HOUR')) + 1 }), drafts)
    })
    expectEither(tally, 'done, QUOTA_EXCEEDED', 'QUOTA_EXCEEDED, done')
  })
})
