// What users of Kubernetes may ask of a webhook: suspend it, rotate its secret, probe it.
import { insertPerson } from '#core/account/person/store.ts'
import { newId, PersonId } from '#core/ids.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import { applyCommands } from '#core/webhook/mirror/apply-commands.ts'
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { readMirrored } from '#core/webhook/mirror/read-mirrored.ts'
import type { WebhookCommands } from '#core/webhook/mirror/webhook-commands.ts'
import { runNextProbe } from '#core/webhook/send/run-next-probe.ts'
import type { AttemptResult } from '#core/webhook/request/post-client.ts'
import { secretContext } from '#core/webhook/secret.ts'
import { castVote, changeWebhook } from '#core/webhook/store.ts'
import { disableAutomatically, disableWebhook, enableWebhook } from '#core/webhook/switch-webhook.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anObject, applied, FENCE, giveSecret, secretsOf } from '../support/builders/managed-webhooks.ts'
import { aDeliveryWorld, type DeliveryWorld } from '../support/builders/delivery-world.ts'
import { fakeClient, OK, REJECTED } from '../support/builders/webhooks.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let world: DeliveryWorld

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.owner`delete from mirror_leader`
  await database.owner`delete from outbox`
  world = await aDeliveryWorld(database)
  await takeLeadership(world.core, { ...FENCE, holder: 'one' })
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

type Asked = Partial<Omit<WebhookCommands, 'id'>>
const ask = (commands: Asked = {}): Promise<MirroredWebhook> =>
  applyCommands(world.core, FENCE, { id: world.webhookId, suspend: false, generation: 1, ...commands })
const disabledReason = async () => (await world.webhook()).disabled
const probe = (result: AttemptResult = OK, meanwhile?: () => Promise<unknown>) => {
  const { client } = fakeClient(async () => {
    await meanwhile?.()
    return result
  })
  return runNextProbe(world.core, client, { orgId: world.orgId, id: world.webhookId })
}
const probeJobs = () =>
  database.owner`
    select request, leased_until is null as free, round(extract(epoch from due_at - sealwright_now()))::int as seconds
    from webhook_probes where webhook_id = ${world.webhookId}`
const disable = () =>
  inTransaction(database.system, (sql) =>
    disableAutomatically(sql, world.core, world.orgId, { id: world.webhookId, url: 'https://receiver.example' }),
  )
const actions = async () =>
  (await database.owner`select action from admin_events where org_id = ${world.orgId} order by id`).map((row) => row['action'])

describe('suspend', () => {
  test('closes what waits, records new events as not sent, and ends', async () => {
    const job = await world.aJob()
    expect(await ask({ suspend: true })).toMatchObject({ suspended: true, disabledByAdmin: false })
    expect(await disabledReason()).toBe('SUSPENDED')
    expect(await world.deliveryOf(job)).toMatchObject({ status: 'GAVE_UP', reason: 'ENDPOINT_DISABLED', jobs: 0 })
    await world.recordEvent()
    const statuses =
      await database.owner`select status from deliveries where webhook_id = ${world.webhookId} order by id desc limit 1`
    expect(statuses).toEqual([{ status: 'NOT_SENT' }])
    const { version } = await ask({ suspend: true })
    expect(await ask({ suspend: true })).toMatchObject({ version })
    expect(await ask()).toMatchObject({ suspended: false })
    expect(await world.aJob()).toBeDefined()
    expect(await actions()).toEqual(['webhook.suspended', 'webhook.resumed'])
  })

  test('and the votes of admins and workers do not end each other', async () => {
    await castVote(database.system, world.orgId, world.webhookId, 'BY_ADMIN')
    expect(await disabledReason()).toBe('BY_ADMIN')
    await ask({ suspend: true })
    expect(await disabledReason()).toBe('SUSPENDED')
    await ask()
    expect(await disabledReason()).toBe('BY_ADMIN')
    await ask({ suspend: true })
    await inTransaction(database.system, (sql) => enableWebhook(sql, world.orgId, world.webhookId))
    expect(await disabledReason()).toBe('SUSPENDED')
  })

  test('pauses the probes of an automatically disabled webhook, which is probed at once afterwards', async () => {
    await disable()
    await ask({ suspend: true })
    expect([await disabledReason(), await probeJobs()]).toEqual(['SUSPENDED', []])
    expect(await ask()).toMatchObject({ disabledAutomatically: true, nextProbeAt: expect.any(Date) })
    expect(await disabledReason()).toBe('AUTOMATIC')
    expect(await probeJobs()).toMatchObject([{ seconds: 0 }])
    expect(await database.owner`select subject from outbox where org_id = ${world.orgId}`).toEqual([
      { subject: 'sealwright.probe.requested' },
    ])
  })
})

describe('a request for a rotation', () => {
  const boxes = async () => {
    const [row] = await database.owner<{ secretBox: Buffer; previousSecretBox: Buffer | null; shown: boolean }[]>`
      select secret_box, previous_secret_box, secret_shown_at is not null as shown from webhooks where id = ${world.webhookId}`
    const open = (box: Buffer | null) => box && world.core.keys.open(box, secretContext(world.webhookId))
    return { secret: open(row!.secretBox), previous: open(row!.previousSecretBox), shown: row!.shown }
  }

  test('is carried out once: the new secret and the one before sign, and the panel may show the new one', async () => {
    const before = await boxes()
    const rotated = await ask({ rotationRequest: 'r1' })
    expect(rotated.secret).toMatchObject({ revision: 2, handledRequest: 'r1', previousExpiresAt: expect.any(Date) })
    expect(await boxes()).toMatchObject({ previous: before.secret, shown: false })
    expect(await ask({ rotationRequest: 'r1' })).toEqual(rotated)
    expect(await ask()).toEqual(rotated)
    expect(await actions()).toEqual(['webhook.secret-rotated'])
  })

  test('during the grace keeps the secret that receivers have: the new one if it was shown, else the one before', async () => {
    const first = await boxes()
    await ask({ rotationRequest: 'r1' })
    await ask({ rotationRequest: 'r2' })
    const second = await boxes()
    expect(second).toMatchObject({ previous: first.secret })
    await database.owner`update webhooks set secret_shown_at = now() where id = ${world.webhookId}`
    expect(await ask({ rotationRequest: 'r3' })).toMatchObject({ secret: { revision: 4, handledRequest: 'r3' } })
    expect(await boxes()).toMatchObject({ previous: second.secret })
  })

  test('of a webhook managed in Kubernetes is read there, never in the panel', async () => {
    const { id } = await applied(world.core, anObject(world.orgId))
    const before = await secretsOf(world.core, id)
    world.webhookId = id
    await ask({ rotationRequest: 'r1' })
    const after = await secretsOf(world.core, id)
    expect(after.previous).toBe(before.secret)
    expect(after.secret).not.toBe(before.secret)
    expect(await boxes()).toMatchObject({ shown: true })
  })

  test('leaves a given secret', async () => {
    const object = anObject(world.orgId, { secret: 'GIVEN' })
    await giveSecret(world.core, object, 'whsec_chosen-in-kubernetes')
    const { id } = await applied(world.core, object)
    world.webhookId = id
    expect(await ask({ rotationRequest: 'r1' })).toMatchObject({
      secret: { revision: 1, handledRequest: 'r1', previousExpiresAt: null },
    })
  })
})

describe('a request for a probe', () => {
  test('is carried out once, also for a webhook that works', async () => {
    const { version } = await ask({ probeRequest: 'p1' })
    await ask({ probeRequest: 'p1' })
    expect(await database.owner`select subject from outbox where org_id = ${world.orgId}`).toHaveLength(1)
    expect(await ask()).toMatchObject({ lastProbeAt: null, lastProbeRequest: null, nextProbeAt: null })
    await probe()
    const probed = await ask({ probeRequest: 'p1' })
    expect(probed).toMatchObject({
      lastProbeAt: expect.any(Date),
      lastProbeRequest: 'p1',
      lastFailure: null,
      hasDelivered: true,
      version: version + 1,
    })
    expect(await probeJobs()).toEqual([])
    const kinds = await database.owner`select kind, status from deliveries where webhook_id = ${world.webhookId}`
    expect(kinds).toEqual([{ kind: 'PROBE', status: 'DELIVERED' }])
    expect(await actions()).toEqual(['webhook.probed'])
  })

  test('is answered with the failure, and changes nothing else', async () => {
    await ask({ probeRequest: 'p1' })
    await probe(REJECTED)
    expect(await ask()).toMatchObject({
      lastProbeRequest: 'p1',
      hasDelivered: false,
      consecutiveExhausted: 0,
      lastFailure: { at: expect.any(Date), code: 'HTTP_STATUS', reason: 'The receiver answered with HTTP status 500.' },
    })
    expect([await disabledReason(), await probeJobs()]).toEqual([null, []])
  })

  test('enables a webhook that was disabled automatically', async () => {
    await disable()
    await ask({ probeRequest: 'p1' })
    await probe()
    expect([await disabledReason(), await probeJobs()]).toEqual([null, []])
  })

  test('leaves the regular probes when it fails', async () => {
    await disable()
    await ask({ probeRequest: 'p1' })
    await probe(REJECTED)
    expect(await disabledReason()).toBe('AUTOMATIC')
    expect(await probeJobs()).toEqual([{ request: null, free: true, seconds: world.core.settings.webhookProbeIntervalSeconds }])
  })

  test('that comes during a probe is carried out after it', async () => {
    await ask({ probeRequest: 'p1' })
    await probe(OK, () => ask({ probeRequest: 'p2' }))
    expect(await probeJobs()).toEqual([{ request: 'p2', free: true, seconds: 0 }])
    expect(await ask({ probeRequest: 'p2' })).toMatchObject({ lastProbeRequest: 'p1' })
    await probe()
    expect(await ask()).toMatchObject({ lastProbeRequest: 'p2' })
  })

  test('is made while an admin or `suspend` disables the webhook, and ends neither', async () => {
    await insertPerson(database.system, world.orgId, {
      id: newId(PersonId),
      email: `${world.orgId}@example.test`,
      name: 'Robin',
      role: 'ADMIN',
      passwordHash: null,
    })
    await disable()
    await ask({ suspend: true, probeRequest: 'p1' })
    await inTransaction(database.system, (sql) => disableWebhook(sql, world.orgId, world.webhookId, 'BY_ADMIN'))
    await probe()
    expect(await ask({ suspend: true })).toMatchObject({
      lastProbeRequest: 'p1',
      suspended: true,
      disabledByAdmin: true,
      disabledAutomatically: false,
    })
    expect(await database.owner`select template from mails where org_id = ${world.orgId}`).toEqual([
      { template: 'WEBHOOK_DISABLED' },
    ])
  })
})

describe('whether the address has accepted anything', () => {
  test.each(['EVENT', 'TEST'] as const)('is recorded with the first delivery: %s', async (kind) => {
    const job = kind === 'EVENT' ? await world.aJob() : await world.aLeased('TEST')
    await world.settle(job, REJECTED)
    expect(await ask()).toMatchObject({ hasDelivered: false })
    await world.settle(kind === 'EVENT' ? await world.aJob() : await world.aLeased('TEST'))
    const { version } = await ask()
    expect(await ask()).toMatchObject({ hasDelivered: true })
    await world.settle(kind === 'EVENT' ? await world.aJob() : await world.aLeased('TEST'))
    expect(await ask()).toMatchObject({ version })
  })

  test('begins again with a new address', async () => {
    await world.settle(await world.aJob())
    await changeWebhook(database.system, world.orgId, world.webhookId, { url: 'https://new.example.test/' })
    expect(await ask()).toMatchObject({ hasDelivered: false })
  })
})

test('the last failure is that of a delivery that used up its retries', async () => {
  await world.settle(await world.aJob(), REJECTED)
  expect(await ask()).toMatchObject({ lastFailure: null, consecutiveExhausted: 0 })
  await world.exhaust(await world.aJob())
  expect(await ask()).toMatchObject({ lastFailure: { code: 'HTTP_STATUS' }, consecutiveExhausted: 1 })
})

test('the object of a webhook of the panel is recorded', async () => {
  const object = { uid: 'u-api', namespace: 'sealwright', name: `api-${world.webhookId}` }
  expect(await ask({ object, generation: 4 })).toMatchObject({ object: { ...object, generation: 4 }, version: 2 })
  expect(await readMirrored(world.core, { uid: 'u-api' })).toMatchObject({ id: world.webhookId })
  expect(await ask({ object, generation: 5 })).toMatchObject({ object: { generation: 5 }, version: 2 })
})
