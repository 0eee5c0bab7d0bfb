// Two of every process. Without faults, the work is shared and nothing is done twice; then faults of every kind happen to any of them.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChaosWorld, startChaosWorld } from '../chaos/chaos-world.ts'
import { runWorkload } from '../chaos/workload.ts'
import { ask } from '../support/clients/ask.ts'
import type { Progress } from '../support/clients/crash-walk.ts'
import { anySeed } from '../support/builders/seeded-random.ts'
import { assertCopiesStored, assertMailed } from '../support/invariants/outside-the-database.ts'
import { assertInvariants } from '../support/invariants/invariants.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { recordNotifications, type NotificationRecorder } from '../support/judges/recorded-notifications.ts'
import { walkWithRetries } from '../support/clients/retrying-client.ts'
import { timesOf } from '../support/judges/times-of.ts'

const ENVELOPES = 12
const WALK = { envelopes: ENVELOPES, concurrency: 6, withinMs: 90_000 }

let world: ChaosWorld
let pdf: Buffer

beforeAll(async () => {
  world = await startChaosWorld()
  pdf = await readFile(pdfFixture('libreoffice.pdf'))
})
afterAll(() => world[Symbol.asyncDispose]())

const logsOf = (name: string) =>
  Promise.all(world.service.processes.filter((each) => each.name.startsWith(name)).map((each) => each.log()))

// requirements: running/starting/npm run start:split, running/settings/NATS
describe('without faults', () => {
  let recorder: NotificationRecorder
  let walked: Progress[]

  beforeAll(async () => {
    recorder = await recordNotifications(world.service.split.nats.current.url)
    walked = await walkWithRetries(world.dev, pdf, WALK)
    await assertInvariants(world.service.split.databaseUrl, walked, 60_000)
  })
  afterAll(() => recorder[Symbol.asyncDispose]())

  test('each envelope is leased, sealed and stored by one of them, once', async () => {
    const intents = await ask(
      world.service.split.databaseUrl,
      (sql) => sql<{ id: string; attempts: number }[]>`select envelope_id as id, attempts from seal_jobs`,
    )
    expect(intents.map(({ attempts }) => attempts)).toEqual(walked.map(() => 1))

    const logs = await logsOf('seal')
    const sealed = logs.map((log) =>
      [...log.matchAll(/"envelopeId":"([^"]+)"[^\n]*"envelope\.sealed"/g)].map(([, id = '']) => id),
    )
    expect(timesOf(sealed.flat())).toEqual(new Map(walked.map(({ envelopeId }) => [envelopeId, 1])))
    for (const own of sealed) expect(own.length, 'envelopes of one of two workers').toBeGreaterThan(0)

    const puts = world.service.split.s3.seen.filter((request) => /^PUT .*\/sealed\//.test(request))
    expect(puts).toHaveLength(walked.length)
    expect(new Set(puts).size).toBe(walked.length)
    await assertCopiesStored(world.service.split.environment)
  })

  test('each email is sent once', async () => {
    const arrived = await assertMailed(world.dev, walked)
    expect(arrived).toBe(walked.length * 4)
    expect(world.sink.received).toHaveLength(walked.length * 4)
  })

  // Not in the order of their numbers: transactions that write to the same partition may commit in another order.
  test('every row is published once', async () => {
    const rows = await ask(
      world.service.split.databaseUrl,
      (sql) => sql<{ id: number }[]>`select id::int from outbox order by outbox.id`,
    )
    expect(recorder.rows.toSorted((left, right) => left - right)).toEqual(rows.map(({ id }) => id))
  })

  test('both APIs have served requests', async () => {
    for (const log of await logsOf('api')) expect(log).toContain('"request.completed"')
  })
})

test('kills, pauses and faults at random times break no invariant', { timeout: 500_000 }, async () => {
  const seed = Number(process.env['CHAOS_SEED'] ?? anySeed())
  console.log(`CHAOS_SEED=${seed}`)
  const said: string[] = []
  const options = { seed, pdf, forMs: 0, envelopes: ENVELOPES, say: (line: string) => said.push(line) }
  const summary = await runWorkload(world, options).catch((error: unknown) => {
    console.log(said.join('\n'))
    throw error
  })
  expect(summary).toMatchObject({ rounds: 1, envelopes: ENVELOPES, seals: ENVELOPES })
  expect(Object.keys(summary.faults).length, said.join('\n')).toBeGreaterThan(2)
})
