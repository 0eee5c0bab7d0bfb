// The tiers as processes of their own lose one part after the other while envelopes go through them; every promise must be kept.
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from 'nats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assertPromisesKept } from '../support/kept-promises.ts'
import { pdfFixture } from '../support/pdf-fixtures.ts'
import type { HttpFault } from '../support/fault-proxy.ts'
import { type ProcessName, type SplitService, startSplitService } from '../support/split-service.ts'
import { walkStubbornly } from '../support/stubborn-walk.ts'

const WALK = { envelopes: 20, concurrency: 5, withinMs: 90_000 }
const SETTLED_WITHIN_MS = 60_000
/** From the start of the walk; by then some envelopes are in every stage. */
const INTO_THE_WALK_MS = 700

let service: SplitService
let pdf: Buffer

beforeAll(async () => {
  pdf = await readFile(pdfFixture('libreoffice.pdf'))
  service = await startSplitService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Walks while `fault` happens, and asserts that nothing was lost or done twice. */
async function survive(fault: () => Promise<void>): Promise<void> {
  const walking = walkStubbornly(service.dev, pdf, WALK)
  const failing = delay(INTO_THE_WALK_MS).then(fault)
  const [walked] = await Promise.all([walking, failing])
  await assertPromisesKept(service.databaseUrl, walked, SETTLED_WITHIN_MS)
}

test('nothing fails: the walk as such', () => survive(async () => {}))

describe('killed outright and started again:', () => {
  test.each<ProcessName>(['api', 'relay', 'seal', 'mail', 'controller'])('%s', (name) => survive(() => service.kill(name)))

  test('every tier at once', () =>
    survive(async () => {
      await Promise.all((['api', 'relay', 'seal', 'mail', 'controller'] as const).map((name) => service.kill(name)))
    }))
})

describe('NATS', () => {
  test('is killed, and away for a while', () =>
    survive(async () => {
      await service.nats.kill()
      await delay(5_000)
      await service.nats.start()
    }))

  test('loses its streams', () =>
    survive(async () => {
      const connection = await connect({ servers: service.nats.current.url })
      const manager = await jetstreamManager(connection)
      for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name)
      await connection.close()
    }))
})

describe('S3', () => {
  test.each<[string, HttpFault]>([
    ['answers 500', 'broken'],
    ['answers 503', 'busy'],
    ['is slow', 'slow'],
    ['loses its answers after success', 'lose-answer'],
    ['cuts what it sends', 'cut-body'],
    ['changes what it sends', 'change-body'],
  ])('%s for a while', (_, fault) =>
    survive(async () => {
      // Every second request, so that tries of one operation meet both.
      let count = 0
      service.s3.faults = () => (count++ % 2 === 0 ? fault : undefined)
      await delay(4_000)
      service.s3.faults = () => undefined
    }),
  )

  test('is away altogether for longer than a worker tries', () =>
    survive(async () => {
      service.s3.faults = () => 'broken'
      await delay(8_000)
      service.s3.faults = () => undefined
    }))
})

describe('Postgres', () => {
  test('is killed and comes back', () =>
    survive(async () => {
      await service.postgres.kill()
      await delay(3_000)
      await service.postgres.start()
    }))

  test('loses every connection in the middle of what runs', () =>
    survive(async () => {
      const { default: postgres } = await import('postgres')
      const admin = postgres(service.databaseUrl, { max: 1, onnotice: () => {} })
      for (let times = 0; times < 5; times++) {
        await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
        await delay(200)
      }
      await admin.end({ timeout: 5 })
    }))
})

test('no process has logged a token, a code or a document', async () => {
  const logs = await Promise.all((['api', 'relay', 'seal', 'mail', 'controller'] as const).map((name) => service.log(name)))
  expect(logs.join('\n')).not.toMatch(/\/sign\/[A-Za-z0-9_-]{43}|X-Amz-Signature=|swsec_/)
})
