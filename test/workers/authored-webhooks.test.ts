// Webhooks that objects in Kubernetes decide about.
import { newId, OrgId } from '#core/ids.ts'
import { FencedError } from '#core/mirror/fence.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import { applyManaged } from '#core/webhook/mirror/apply-managed.ts'
import type { ManagedWebhook } from '#core/webhook/mirror/managed-webhook.ts'
import { deleteManaged } from '#core/webhook/mirror/delete-managed.ts'
import { markOrphaned } from '#core/webhook/mirror/mark-orphaned.ts'
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { listMirrored, readMirrored } from '#core/webhook/mirror/read-mirrored.ts'
import { prepareSecret } from '#core/webhook/mirror/secret-objects.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anObject, applied, apply, FENCE, giveSecret, secretsOf, signingSecretsOf } from '../support/builders/managed-webhooks.ts'
import { aDeliveryWorld, type DeliveryWorld } from '../support/builders/delivery-world.ts'
import { aWebhook } from '../support/builders/webhooks.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let world: DeliveryWorld

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.owner`delete from webhooks`
  await database.owner`delete from mirror_leader`
  world = await aDeliveryWorld(database)
  await takeLeadership(world.core, { ...FENCE, holder: 'one' })
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

const acts = () =>
  database.owner`select actor, action, detail from admin_events where org_id = ${world.orgId} order by id` as Promise<
    { actor: string; action: string; detail: { [key: string]: unknown } }[]
  >

describe('a new object', () => {
  test('is a webhook with the events, and the activity names it', async () => {
    const object = anObject(world.orgId, { description: 'orders', events: ['signer.signed'], generation: 3 })
    const outcome = await apply(world.core, object)
    expect(outcome).toMatchObject({ outcome: 'applied', created: true })
    expect(await applied(world.core, object)).toMatchObject({
      orgId: world.orgId,
      url: object.url,
      description: 'orders',
      eventTypes: ['signer.signed'],
      origin: 'KUBERNETES',
      version: 1,
      suspended: false,
      hasDelivered: false,
      nextProbeAt: null,
      lastFailure: null,
      secret: { revision: 1, handledRequest: null, previousExpiresAt: null, created: [] },
      object: { namespace: 'shop', name: object.name, uid: object.uid, generation: 3 },
      orphanedAt: null,
    })
    const named = { object: `shop/${object.name}`, host: 'receiver.example' }
    expect(await acts()).toMatchObject([{ actor: 'KUBERNETES', action: 'webhook.created', detail: named }])
  })

  test('may be suspended from the start', async () => {
    const { id } = await applied(world.core, anObject(world.orgId, { suspend: true }))
    const [row] = await database.owner`select disabled_reason from webhooks where id = ${id}`
    expect(row).toEqual({ disabledReason: 'SUSPENDED' })
  })

  test('is created once by two controllers that apply it at the same time', async () => {
    const object = anObject(world.orgId)
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => apply(world.core, object)))
    expect(outcomes.filter((each) => each.outcome === 'applied' && each.created)).toHaveLength(1)
  })

  test.each<[string, Partial<ManagedWebhook>, string, string]>([
    ['of an unknown organisation', { orgId: newId(OrgId) }, 'OrganisationUnknown', 'There is no organisation'],
    ['with a private address', { url: 'https://10.1.2.3/' }, 'AddressRefused', 'The address is not allowed: it is not public.'],
  ])('%s is refused', async (_, overrides, reason, message) => {
    const outcome = await apply(world.core, anObject(world.orgId, overrides))
    expect(outcome).toMatchObject({ outcome: 'refused', reason, message: expect.stringContaining(message) })
    expect(await listMirrored(world.core, { limit: 10 })).toHaveLength(1)
  })

  test('whose name resolves to a private address is refused, and one that does not resolve at the moment is accepted', async () => {
    const lookups: [string, () => Promise<string[]>][] = [
      ['refused', async () => ['10.0.0.1']],
      ['applied', () => Promise.reject(Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' }))],
    ]
    for (const [outcome, lookup] of lookups)
      expect(await applyManaged(world.core, FENCE, anObject(world.orgId), lookup)).toMatchObject({ outcome })
  })

  test('is refused above the limit, together with the webhooks of the panel', async () => {
    const { webhookMaxPerOrg } = world.core.settings
    const objects = Array.from({ length: webhookMaxPerOrg + 2 }, () => anObject(world.orgId))
    const outcomes = await Promise.all(objects.map((object) => apply(world.core, object)))
    const refused = outcomes.filter((each) => each.outcome === 'refused')
    expect(refused).toHaveLength(3) // one was there before
    for (const each of refused) expect(each).toMatchObject({ reason: 'LimitExceeded', message: expect.stringContaining('20') })
  })
})

describe('two objects with the same address and events', () => {
  const OLD = new Date('2026-09-01T00:00:00Z')
  const NEW = new Date('2026-09-02T00:00:00Z')
  const pair = (): [ManagedWebhook, ManagedWebhook] => {
    const url = 'https://receiver.example/same'
    return [
      anObject(world.orgId, { url, createdAt: OLD, events: ['signer.signed', 'envelope.sent'] }),
      anObject(world.orgId, { url, createdAt: NEW, events: ['envelope.sent', 'signer.signed'] }),
    ]
  }

  test('the younger is refused', async () => {
    const [older, younger] = pair()
    const { id } = await applied(world.core, older)
    expect(await apply(world.core, younger)).toMatchObject({
      reason: 'Duplicate',
      message: expect.stringContaining(`shop/${older.name}`),
    })
    expect(await applied(world.core, older)).toMatchObject({ id, version: 1 })
  })

  test('the older takes over when it is read last', async () => {
    const [older, younger] = pair()
    const { id } = await applied(world.core, younger)
    expect(await apply(world.core, older)).toMatchObject({ created: false, webhook: { id, object: { uid: older.uid } } })
    expect(await apply(world.core, younger)).toMatchObject({ reason: 'Duplicate' })
  })

  test('the one that becomes the same is refused and stays as it was', async () => {
    const [older, younger] = pair()
    await applied(world.core, younger)
    const before = await applied(world.core, { ...older, url: 'https://receiver.example/other' })
    expect(await apply(world.core, { ...older, generation: 2 })).toMatchObject({ reason: 'Duplicate' })
    expect(await readMirrored(world.core, { uid: older.uid })).toEqual(before)
  })

  test('of which one is an orphan, or has its name from the other, are both there', async () => {
    const [older, younger] = pair()
    await applied(world.core, older)
    expect(await apply(world.core, { ...younger, name: older.name })).toMatchObject({ outcome: 'applied', created: true })
    await markOrphaned(world.core, FENCE, [older.uid, younger.uid], NEW)
    const [, third] = pair()
    expect(await apply(world.core, third)).toMatchObject({ outcome: 'applied', created: true })
  })
})

describe('a change of an object', () => {
  let object: ManagedWebhook
  let webhook: MirroredWebhook
  beforeEach(async () => {
    object = anObject(world.orgId)
    webhook = await applied(world.core, object)
  })
  const change = (overrides: Partial<ManagedWebhook>) => apply(world.core, { ...object, generation: 2, ...overrides })

  test('changes what differs', async () => {
    const outcome = await change({ url: 'https://new.example.test/', events: ['signer.viewed'], description: 'new' })
    expect(outcome).toMatchObject({
      created: false,
      webhook: {
        id: webhook.id,
        url: 'https://new.example.test/',
        eventTypes: ['signer.viewed'],
        description: 'new',
        object: { generation: 2 },
      },
    })
    expect((await acts()).at(-1)).toMatchObject({
      action: 'webhook.updated',
      detail: { changed: ['url', 'description', 'eventTypes'], host: 'new.example.test' },
    })
  })

  test.each([{}, { events: ['envelope.completed', 'envelope.sent'] as const }])(
    'that changes nothing writes no version: %o',
    async (overrides) => {
      expect(await change(overrides)).toMatchObject({ webhook: { version: 1, object: { generation: 2 } } })
      expect(await acts()).toHaveLength(1)
    },
  )

  test('that is refused leaves the webhook as it was', async () => {
    await change({ suspend: true, generation: 1 })
    const before = await readMirrored(world.core, { uid: object.uid })
    expect(await change({ url: 'https://192.168.0.1/', description: 'x', suspend: false })).toMatchObject({
      reason: 'AddressRefused',
    })
    expect(await change({ orgId: newId(OrgId) })).toMatchObject({ reason: 'OrganisationUnknown' })
    expect(await readMirrored(world.core, { uid: object.uid })).toEqual(before)
  })

  test('is not refused for an address that it has, whatever that resolves to now', async () => {
    const outcome = await applyManaged(world.core, FENCE, { ...object, description: 'new' }, async () => ['10.0.0.1'])
    expect(outcome).toMatchObject({ outcome: 'applied', webhook: { description: 'new' } })
  })

  test('is carried out by the controller that leads only', async () => {
    await takeLeadership(world.core, { transitions: 2, holder: 'two' })
    await expect(change({ description: 'late' })).rejects.toThrow(FencedError)
    await expect(deleteManaged(world.core, FENCE, object.uid)).rejects.toThrow(FencedError)
    await expect(markOrphaned(world.core, FENCE, [object.uid], new Date())).rejects.toThrow(FencedError)
    await expect(prepareSecret(world.core, FENCE, webhook.id)).rejects.toThrow(FencedError)
    expect(await readMirrored(world.core, { uid: object.uid })).toEqual(webhook)
  })
})

describe('the secret', () => {
  const CHOSEN = 'whsec_chosen-in-kubernetes'

  test('is generated, and read for the Secret', async () => {
    const { id } = await applied(world.core, anObject(world.orgId))
    expect(await secretsOf(world.core, id)).toEqual({ secret: expect.stringMatching(/^whsec_.{20,}/) })
  })

  test('may be given; a new text signs together with the one before for a day', async () => {
    const object = anObject(world.orgId, { secret: 'GIVEN' })
    await giveSecret(world.core, object, CHOSEN)
    const { id } = await applied(world.core, object)
    expect(await signingSecretsOf(world.core, id)).toEqual([CHOSEN])
    await giveSecret(world.core, object, `${CHOSEN}-2`)
    const changed = await applied(world.core, object)
    expect(changed).toMatchObject({ secret: { revision: 2 } })
    await giveSecret(world.core, object, `${CHOSEN}-2`)
    expect(await applied(world.core, object)).toEqual(changed)
    expect(await signingSecretsOf(world.core, id)).toEqual([`${CHOSEN}-2`, CHOSEN])
    await database.moveClock(86_401)
    expect(await signingSecretsOf(world.core, id)).toEqual([`${CHOSEN}-2`])
    expect(await readMirrored(world.core, { id })).toMatchObject({ secret: { previousExpiresAt: null } })
  })

  test('of a webhook of the panel is never read', async () => {
    const id = await aWebhook(world.core, world.orgId)
    await expect(prepareSecret(world.core, FENCE, id)).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' })
  })
})

describe('a deleted object', () => {
  test('takes its webhook with it; what waited for it ends, and its history stays', async () => {
    const object = anObject(world.orgId)
    const { id } = await applied(world.core, object)
    await world.recordEvent()
    await deleteManaged(world.core, FENCE, object.uid)
    await deleteManaged(world.core, FENCE, object.uid)
    expect(await readMirrored(world.core, { id })).toBeUndefined()
    const deliveries = await database.owner`select status, reason from deliveries where webhook_id = ${id}`
    expect(deliveries).toEqual([{ status: 'GAVE_UP', reason: 'ENDPOINT_DELETED' }])
    expect((await acts()).map(({ action }) => action)).toEqual(['webhook.created', 'webhook.deleted'])
    const [change] = await database.owner`select kind from mirror_changes where id = ${id}`
    expect(change).toEqual({ kind: 'WEBHOOK' })
  })
})

test('all webhooks are read in pages', async () => {
  for (let count = 0; count < 4; count++) await applied(world.core, anObject(world.orgId))
  const first = await listMirrored(world.core, { limit: 3 })
  const rest = await listMirrored(world.core, { after: first.at(-1)!.id, limit: 3 })
  expect([first.length, rest.length]).toEqual([3, 2])
  expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(5)
  expect(first[0]).toEqual(await readMirrored(world.core, { id: first[0]!.id }))
})
