// What disables a webhook, what that does to its deliveries, and what tests do.
import { insertPerson } from '#core/account/person/store.ts'
import { newId, PersonId } from '#core/ids.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import type { DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { pollDeliveries } from '#core/webhook/delivery/poll-deliveries.ts'
import { insertProbe } from '#core/webhook/probe/probe-job.ts'
import { runNextProbe } from '#core/webhook/send/run-next-probe.ts'
import { castVote, changeWebhook, lockWebhook } from '#core/webhook/store.ts'
import { disableWebhook } from '#core/webhook/switch-webhook.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aDeliveryWorld, type DeliveryWorld } from '../support/builders/delivery-world.ts'
import { anEnvelope, aWebhook, record, REJECTED } from '../support/builders/webhooks.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let world: DeliveryWorld

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  world = await aDeliveryWorld(database)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

describe('three deliveries in a row that used up their retries', () => {
  const person = (role: 'ADMIN' | 'MEMBER') => {
    const id = newId(PersonId)
    return insertPerson(database.system, world.orgId, {
      id,
      email: `${id}@example.test`,
      name: 'Robin',
      role,
      passwordHash: null,
    })
  }

  // requirements: service-api/limits/auto-disable threshold
  test('disable the webhook, close what waits, and are mailed to each admin once', async () => {
    for (const role of ['ADMIN', 'ADMIN', 'MEMBER'] as const) await person(role)
    const jobs = [await world.aJob(), await world.aJob(), await world.aJob(), await world.aJob()]
    await world.recordEvent()
    for (const job of jobs.slice(0, 3)) {
      expect(await world.webhook()).toMatchObject({ disabled: null })
      expect(await world.exhaust(job)).toBe('failed')
    }
    expect(await world.webhook()).toMatchObject({ disabled: 'AUTOMATIC', exhausted: 3 })
    // One that runs, and one that waits: neither counts.
    const closed = await database.owner`
      select reason from deliveries where webhook_id = ${world.webhookId} and status = 'GAVE_UP' and reason is not null`
    expect(closed).toMatchObject([{ reason: 'ENDPOINT_DISABLED' }, { reason: 'ENDPOINT_DISABLED' }])
    expect(await database.owner`select 1 from delivery_jobs where webhook_id = ${world.webhookId}`).toEqual([])
    const [probe] = await database.owner`
      select extract(epoch from due_at - sealwright_now())::float8 as seconds from webhook_probes where webhook_id = ${world.webhookId}`
    expect(probe!['seconds']).toBeGreaterThan(6 * 3_600 - 60)
    expect(await database.owner`select template from mails where org_id = ${world.orgId}`).toMatchObject([
      { template: 'WEBHOOK_DISABLED' },
      { template: 'WEBHOOK_DISABLED' },
    ])
    expect(await world.exhaust(jobs[3]!)).toBe(false)
    expect(await world.webhook()).toMatchObject({ exhausted: 3 })
  })

  // requirements: decisions/webhooks/consecutive
  test('count in the order of their ends: a success in between starts again', async () => {
    for (const end of [world.exhaust, world.exhaust, world.settle, world.exhaust, world.exhaust]) await end(await world.aJob())
    expect(await world.webhook()).toMatchObject({ exhausted: 2, disabled: null })
    await world.exhaust(await world.aJob())
    expect(await world.webhook()).toMatchObject({ exhausted: 3, disabled: 'AUTOMATIC' })
  })

  test('disable it once when they end together', async () => {
    await person('ADMIN')
    const jobs = [await world.aJob(), await world.aJob(), await world.aJob(), await world.aJob()]
    const ends = await Promise.all(jobs.map((job) => world.exhaust(job)))
    // The fourth was closed by the disabling.
    expect(ends.filter((end) => end === 'failed')).toHaveLength(3)
    expect(ends).toContain(false)
    expect(await world.webhook()).toMatchObject({ exhausted: 3, disabled: 'AUTOMATIC' })
    expect(await database.owner`select 1 from mails where org_id = ${world.orgId}`).toHaveLength(1)
  })

  test('and a success at the moment of the third end in some order, without an error', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 40; round++) {
      world.webhookId = await aWebhook(world.core, world.orgId, ['signer.signed'])
      await record(database.system, world.orgId, anEnvelope(), 'signer.signed')
      await record(database.system, world.orgId, anEnvelope(), 'signer.signed')
      const [failing, succeeding] = (await world.claim()).filter((job) => job.webhookId === world.webhookId)
      await database.owner`update webhooks set consecutive_exhausted = 2 where id = ${world.webhookId}`
      const ends =
        round % 2 === 0
          ? [world.exhaust(failing!), world.settle(succeeding!)]
          : [world.settle(succeeding!), world.exhaust(failing!)]
      await Promise.all(ends)
      const { exhausted, disabled } = await world.webhook()
      outcomes.add(`${exhausted} ${disabled}`)
      expect(await world.deliveryOf(succeeding!)).toMatchObject({ status: 'DELIVERED', reason: null, jobs: 0 })
      await database.owner`delete from delivery_jobs where org_id = ${world.orgId}`
      await database.owner`update webhooks set disabled_by_admin_at = now() where id = ${world.webhookId}`
    }
    // The success ended the row, or came after the disabling.
    expect([...outcomes].filter((outcome) => !['1 null', '3 AUTOMATIC'].includes(outcome))).toEqual([])
  })

  test('counts replays', async () => {
    for (let replays = 0; replays < 3; replays++) await world.exhaust(await world.aLeased('REPLAY'))
    expect(await world.webhook()).toMatchObject({ exhausted: 3, disabled: 'AUTOMATIC' })
  })
})

describe('a closed delivery', () => {
  const disable = () =>
    inTransaction(database.system, async (sql) => {
      await lockWebhook(sql, world.orgId, world.webhookId)
      await disableWebhook(sql, world.orgId, world.webhookId, 'BY_ADMIN')
    })

  test('that is accepted late counts as delivered', async () => {
    const job = await world.aJob()
    await disable()
    expect(await world.deliveryOf(job)).toMatchObject({ status: 'GAVE_UP', reason: 'ENDPOINT_DISABLED', jobs: 0 })
    expect(await world.settle(job)).toBe(false)
    expect(await world.deliveryOf(job)).toMatchObject({ status: 'DELIVERED', reason: null, attempts: [{ responseStatus: 204 }] })
  })

  test('that is rejected late stays closed, with the attempt', async () => {
    const job = await world.aJob()
    await disable()
    expect(await world.settle(job, REJECTED)).toBe(false)
    expect(await world.deliveryOf(job)).toMatchObject({ status: 'GAVE_UP', reason: 'ENDPOINT_DISABLED', attempts: [{}] })
  })

  test('may be claimed or accepted at the moment of the disabling, without an error', async () => {
    for (let round = 0; round < 40; round++) {
      world.webhookId = await aWebhook(world.core, world.orgId, ['signer.viewed'])
      for (let event = 0; event < 6; event++) await record(database.system, world.orgId, anEnvelope(), 'signer.viewed')
      await database.owner`update webhooks set consecutive_exhausted = 1 where id = ${world.webhookId}`
      const jobs = (await world.claim()).filter((job) => job.webhookId === world.webhookId)
      await world.settle(jobs[0]!)
      await database.owner`update webhooks set consecutive_exhausted = 1 where id = ${world.webhookId}`
      await Promise.all([world.claim(), disable(), world.settle(jobs[1]!), world.claim()])
      expect(await database.owner`select 1 from delivery_jobs where webhook_id = ${world.webhookId}`).toEqual([])
    }
  })
})

describe('a stray delivery, recorded while its webhook was being', () => {
  test('disabled, is not sent; a test is', async () => {
    await world.recordEvent()
    const testJob = await world.aLeased('TEST')
    const [waiting] = await database.owner`select id from delivery_jobs where webhook_id = ${world.webhookId} and not is_test`
    await castVote(database.system, world.orgId, world.webhookId, 'AUTOMATIC')
    await pollDeliveries(world.core)
    expect(await world.deliveryOf(waiting as DeliveryJob)).toMatchObject({
      status: 'NOT_SENT',
      reason: 'ENDPOINT_DISABLED',
      jobs: 0,
    })
    expect(await world.deliveryOf(testJob)).toMatchObject({ status: 'WAITING', jobs: 1 })
  })

  test('deleted, is not sent, nor is a test', async () => {
    const jobs = [await world.aJob(), await world.aLeased('TEST')]
    const other = await aWebhook(world.core, world.orgId)
    await world.recordEvent()
    await database.owner`delete from webhooks where id = ${world.webhookId}`
    await pollDeliveries(world.core)
    for (const job of jobs)
      expect(await world.deliveryOf(job)).toMatchObject({ status: 'NOT_SENT', reason: 'ENDPOINT_DELETED', jobs: 0 })
    expect(await database.owner`select 1 from delivery_jobs where webhook_id = ${other}`).toHaveLength(1)
  })
})

describe('a test', () => {
  test('is tried once and does not count', async () => {
    for (let tests = 0; tests < 3; tests++) {
      const job = await world.aLeased('TEST')
      expect(await world.settle(job, REJECTED)).toBe('failed')
      expect(await world.deliveryOf(job)).toMatchObject({ status: 'GAVE_UP', jobs: 0 })
    }
    expect(await world.webhook()).toMatchObject({ exhausted: 0, disabled: null })
  })

  test('that succeeds does not end a row of exhausted ones', async () => {
    await world.exhaust(await world.aJob())
    await world.settle(await world.aLeased('TEST'))
    expect(await world.webhook()).toMatchObject({ exhausted: 1 })
  })

  test.each([
    ['enables a webhook that was disabled automatically', 'AUTOMATIC', null],
    ['leaves one disabled that an admin disabled', 'BY_ADMIN', 'BY_ADMIN'],
  ] as const)('that succeeds %s', async (_, reason, after) => {
    await castVote(database.system, world.orgId, world.webhookId, reason)
    await world.settle(await world.aLeased('TEST'))
    expect(await world.webhook()).toMatchObject({ disabled: after })
  })
})

describe('a probe whose address is changed meanwhile', () => {
  test.each([
    ['accepted', { responseStatus: 204, durationMs: 1 }],
    ['rejected', { responseStatus: 500, durationMs: 1, failure: { code: 'HTTP_STATUS' } }],
  ] as const)('and that is %s says nothing about the new one, which is probed at once', async (_, result) => {
    const { core, orgId, webhookId: id } = world
    await castVote(database.system, orgId, id, 'AUTOMATIC')
    await insertProbe(database.system, orgId, id, 0)
    const probed: string[] = []
    const client = {
      async post({ url }: { url: string }) {
        probed.push(url)
        if (probed.length > 1) return { responseStatus: 204, durationMs: 1 }
        await changeWebhook(database.system, orgId, id, { url: 'https://new.example.test/' })
        return result
      },
      async [Symbol.asyncDispose]() {},
    }
    await runNextProbe(core, client, { orgId, id })
    expect(await world.webhook()).toMatchObject({ disabled: 'AUTOMATIC' })
    await runNextProbe(core, client, { orgId, id })
    expect(probed[1]).toBe('https://new.example.test/')
    expect(await world.webhook()).toMatchObject({ disabled: null })
  })
})
