// The Secrets of webhooks managed in Kubernetes: those that workers read for the controller, and those that the controller creates.
import type { SecretEntries, SecretReader, SecretRule } from '#core/platform/kubernetes/secret-reader.ts'
import { WebhookId } from '#core/ids.ts'
import { selectWebhooks } from '#core/webhook/store.ts'
import { toWebhookResponse } from '../../api/responses/webhook.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import { adopt } from '#core/webhook/mirror/adopt.ts'
import type { ManagedWebhook } from '#core/webhook/mirror/managed-webhook.ts'
import { deleteManaged } from '#core/webhook/mirror/delete-managed.ts'
import { markOrphaned } from '#core/webhook/mirror/mark-orphaned.ts'
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { readDueSecrets } from '#core/webhook/mirror/read-due-secrets.ts'
import { readMirrored } from '#core/webhook/mirror/read-mirrored.ts'
import { readRequestedSecret, requestSecret } from '#core/webhook/mirror/request-secret.ts'
import {
  forgetDeletedSecret,
  forgetGoneObjects,
  prepareSecret,
  recordCreatedSecret,
} from '#core/webhook/mirror/secret-objects.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anObject, applied, FENCE, giveSecret, secretsOf, signingSecretsOf } from '../support/builders/managed-webhooks.ts'
import { applyCommands } from '#core/webhook/mirror/apply-commands.ts'
import { aDeliveryWorld, type DeliveryWorld } from '../support/builders/delivery-world.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let world: DeliveryWorld
let object: ManagedWebhook

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  for (const table of ['webhooks', 'webhook_secret_references', 'webhook_secret_objects', 'mirror_changes', 'mirror_leader'])
    await database.owner`delete from ${database.owner(table)}`
  world = await aDeliveryWorld(database)
  await takeLeadership(world.core, { ...FENCE, holder: 'one' })
  object = anObject(world.orgId)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

const CHOSEN = 'whsec_chosen-in-kubernetes'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const reader = (read: SecretReader['read']): SecretReader => ({ read })
const LABELLED = { labels: { 'sealwright.io/webhook-secret': 'true' } }
/** A cluster in which every name is a Secret with this content. */
const having = (metadata: Parameters<SecretRule>[0], entries: SecretEntries) =>
  reader(async (_namespace, _name, rule) => (rule(metadata) ? entries : undefined))
const holding = (value: string) => having(LABELLED, { secret: base64(value) })

describe('the Secret that an object names', () => {
  const reference = { namespace: 'shop', name: 'given', key: 'secret', rotationRequest: null }
  const request = (change: Partial<typeof reference> = {}) =>
    requestSecret(world.core, FENCE, object.uid, { ...reference, ...change })
  const answer = async () => (await readRequestedSecret(world.core, object.uid))?.answer
  const isNoted = async () => (await database.owner`select from mirror_changes where id = ${object.uid}`).length > 0

  test('is read by a worker, stored encrypted, and the mirror is notified', async () => {
    await request()
    expect(await answer()).toMatchObject({ kind: 'WAITING' })
    expect(await isNoted()).toBe(false)
    const asked: string[] = []
    await readDueSecrets(
      world.core,
      reader(async (namespace, name) => (asked.push(`${namespace}/${name}`), { secret: base64(CHOSEN) })),
    )
    expect(asked).toEqual(['shop/given'])
    expect(await answer()).toEqual({ kind: 'READ', isGiven: false })
    expect(await isNoted()).toBe(true)
    const [row] = await database.owner<{ text: string }[]>`select r::text as text from webhook_secret_references r`
    expect(row?.text).not.toContain(Buffer.from(CHOSEN).toString('hex'))
    expect(row?.text).not.toContain(CHOSEN)
  })

  const refuses = async () => Promise.reject(new Error('Forbidden'))
  const unlabelled =
    'There is no Secret shop/given with the label sealwright.io/webhook-secret: "true", and no other is read. An owner of the Secret sets it: kubectl -n shop label secret given sealwright.io/webhook-secret=true. It is read again within a minute.'
  const foreign = { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'another' }] }
  test.each<[string, SecretReader, string, string]>([
    ['is missing', reader(async () => undefined), 'UNUSABLE', unlabelled],
    ['has no label', having({}, { secret: base64(CHOSEN) }), 'UNUSABLE', unlabelled],
    ['has no label and lacks the key', having({}, { other: '' }), 'UNUSABLE', unlabelled],
    [
      'has another value',
      having({ labels: { 'sealwright.io/webhook-secret': 'yes' } }, { secret: base64(CHOSEN) }),
      'UNUSABLE',
      unlabelled,
    ],
    ['belongs to another object', having(foreign, { secret: base64(CHOSEN) }), 'UNUSABLE', unlabelled],
    ['lacks the key', having(LABELLED, { other: '' }), 'MISSING', 'has no key secret'],
    ['is too short', holding('short'), 'UNUSABLE', '16 to 256'],
    ['has a line break', holding(`${'s'.repeat(32)}\n`), 'UNUSABLE', 'line breaks'],
    ['cannot be read', reader(refuses), 'UNAVAILABLE', 'Forbidden'],
  ])('that %s is a failure with a message, and is tried again within a minute', async (_, secrets, failure, message) => {
    await request()
    await readDueSecrets(world.core, secrets)
    expect(await answer()).toEqual({ kind: 'FAILED', failure, message: expect.stringContaining(message) })
    expect(await isNoted()).toBe(true)
    await database.moveClock(61)
    await readDueSecrets(world.core, holding(CHOSEN))
    expect(await answer()).toMatchObject({ kind: 'READ' })
  })

  test('is read again every hour: the same secret is not given again, another one is', async () => {
    object = { ...object, secret: 'GIVEN' }
    await request()
    await readDueSecrets(world.core, holding(CHOSEN))
    const { id } = await applied(world.core, object)
    expect(await answer()).toEqual({ kind: 'READ', isGiven: true })
    await database.owner`delete from mirror_changes`
    await database.moveClock(3599)
    await readDueSecrets(world.core, holding(`${CHOSEN}-2`))
    await database.moveClock(3601)
    await readDueSecrets(world.core, holding(CHOSEN))
    expect(await answer()).toEqual({ kind: 'READ', isGiven: true })
    expect(await isNoted()).toBe(false)
    await database.moveClock(7300)
    await readDueSecrets(world.core, holding(`${CHOSEN}-2`))
    expect(await answer()).toEqual({ kind: 'READ', isGiven: false })
    expect(await isNoted()).toBe(true)
    await applied(world.core, object)
    expect(await signingSecretsOf(world.core, id)).toEqual([`${CHOSEN}-2`, CHOSEN])
  })

  test('stays what it was while Kubernetes cannot be reached', async () => {
    await giveSecret(world.core, object, CHOSEN)
    await database.moveClock(3601)
    await readDueSecrets(world.core, reader(refuses))
    expect(await answer()).toEqual({ kind: 'READ', isGiven: false })
  })

  test('is read at once after a new request; a worker that answers the earlier one is too late', async () => {
    await request()
    await readDueSecrets(
      world.core,
      reader(async () => (await request({ name: 'another' }), { secret: base64(CHOSEN) })),
    )
    expect(await answer()).toMatchObject({ kind: 'WAITING' })
    await readDueSecrets(world.core, holding(`${CHOSEN}-2`))
    expect(await readRequestedSecret(world.core, object.uid)).toMatchObject({ name: 'another', answer: { kind: 'READ' } })
  })

  test('is read by one of several workers, and again by another when that one ends', async () => {
    await request()
    let reads = 0
    const counting = reader(async () => ((reads += 1), await new Promise<never>(() => {})))
    void readDueSecrets(world.core, counting)
    await expect.poll(() => reads).toBe(1)
    expect(await readDueSecrets(world.core, counting)).toBe(false)
    expect(reads).toBe(1)
    await database.moveClock(31)
    await readDueSecrets(world.core, holding(CHOSEN))
    expect(await answer()).toMatchObject({ kind: 'READ' })
  })

  test('is kept once, with the webhook: nothing of it is shown or copied, also after the object names none', async () => {
    object = { ...object, secret: 'GIVEN' }
    await giveSecret(world.core, object, CHOSEN)
    const { id, secret } = await applied(world.core, object)
    expect(secret).toMatchObject({ objectName: null, created: [] })
    await expect(prepareSecret(world.core, FENCE, id)).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' })
    const kept = async () => {
      const [row] = await database.owner<{ box: Buffer | null; four: string }[]>`
        select r.secret_box as box, w.secret_last_four as four
        from webhooks w join webhook_secret_references r on r.object_uid = w.object_uid where w.id = ${id}`
      return row
    }
    expect(await kept()).toEqual({ box: null, four: '' })
    const [shown] = await selectWebhooks(database.system, world.orgId, WebhookId.parse(id))
    expect(shown && toWebhookResponse(shown)).not.toHaveProperty('secretLastFour')
    expect(await signingSecretsOf(world.core, id)).toEqual([CHOSEN])
    await database.moveClock(3601)
    await readDueSecrets(world.core, holding(CHOSEN))
    expect(await kept()).toEqual({ box: null, four: '' })
    const after = await applied(world.core, { ...object, secret: 'GENERATED', generation: 2 })
    expect(after.secret).toMatchObject({ revision: 2, objectName: expect.stringMatching(/-webhook-r2-/) })
    const generated = await secretsOf(world.core, id)
    expect(generated).toEqual({ secret: expect.stringMatching(/^whsec_/) })
    expect(await signingSecretsOf(world.core, id)).toEqual([generated.secret, CHOSEN])
  })

  test('is requested again when the webhook that had it is gone', async () => {
    object = { ...object, secret: 'GIVEN' }
    await giveSecret(world.core, object, CHOSEN)
    const { id } = await applied(world.core, object)
    await database.owner`delete from webhooks where id = ${id}`
    expect(await answer()).toBeUndefined()
    await giveSecret(world.core, object, CHOSEN)
    expect(await signingSecretsOf(world.core, (await applied(world.core, object)).id)).toEqual([CHOSEN])
  })

  test('is given to the webhook that the object adopts', async () => {
    const orphan = anObject(world.orgId)
    const { id } = await applied(world.core, orphan)
    await markOrphaned(world.core, FENCE, [orphan.uid], new Date())
    object = { ...object, secret: 'GIVEN' }
    await giveSecret(world.core, object, CHOSEN)
    await applied(world.core, object)
    await adopt(world.core, FENCE, { ...object, id })
    expect(await answer()).toBeUndefined()
    await giveSecret(world.core, object, CHOSEN)
    await applied(world.core, object)
    expect((await signingSecretsOf(world.core, id))[0]).toBe(CHOSEN)
  })

  test('that was made for a webhook the database has lost gives a generated secret back', async () => {
    await request()
    const owned = { ownerReferences: [{ apiVersion: 'v1', kind: 'WebhookSubscription', name: 'x', uid: object.uid }] }
    await readDueSecrets(world.core, having(owned, { secret: base64(CHOSEN) }))
    const { id } = await applied(world.core, { ...object, secret: 'KEPT' })
    expect(await secretsOf(world.core, id)).toEqual({ secret: CHOSEN })
    expect(await answer()).toBeUndefined()
    const command = { id, suspend: false, generation: 1, rotationRequest: 'r1' }
    expect(await applyCommands(world.core, FENCE, command)).toMatchObject({ secret: { revision: 2 } })
  })
})

describe('the Secret that is created', () => {
  const secretOf = async ({ id }: MirroredWebhook) => (await readMirrored(world.core, { id }))?.secret

  test('has a name that says its content: another one after a rotation, after the grace, and for another object', async () => {
    const webhook = await applied(world.core, object)
    const names = [webhook.secret.objectName]
    expect(names[0]).toMatch(new RegExp(`^${object.name}-webhook-r1-[0-9a-f]{10}$`))
    await applied(world.core, { ...object, description: 'new', generation: 2 })
    expect((await secretOf(webhook))?.objectName).toBe(names[0])
    const command = { id: webhook.id, suspend: false, generation: 2, rotationRequest: 'r1' }
    names.push((await applyCommands(world.core, FENCE, command)).secret.objectName)
    await database.moveClock(86_401)
    names.push((await secretOf(webhook))?.objectName ?? null)
    await markOrphaned(world.core, FENCE, [object.uid], new Date())
    const another = { ...anObject(world.orgId), name: object.name }
    await adopt(world.core, FENCE, { ...another, id: webhook.id })
    names.push((await secretOf(webhook))?.objectName ?? null)
    expect(new Set(names).size).toBe(4)
    expect(names.map((name) => name?.match(/-r\d-/)?.[0])).toEqual(['-r1-', '-r2-', '-r2-', '-r2-'])
  })

  test('is recorded before it is there, with the one that the object shows, until it is deleted', async () => {
    const webhook = await applied(world.core, object)
    const { name } = await prepareSecret(world.core, FENCE, webhook.id, 'shown')
    expect(name).toBe(webhook.secret.objectName)
    await recordCreatedSecret(world.core, FENCE, { objectUid: object.uid, name, uid: 'uid-1' })
    await prepareSecret(world.core, FENCE, webhook.id)
    const known = { name, uid: 'uid-1' }
    expect((await secretOf(webhook))?.created).toEqual(expect.arrayContaining([known, { name: 'shown', uid: null }]))
    await forgetDeletedSecret(world.core, FENCE, { objectUid: object.uid, name: 'shown' })
    expect((await secretOf(webhook))?.created).toEqual([known])
  })
})

test('nothing is kept of objects that are gone', async () => {
  const records = async () => {
    const [row] = await database.owner<{ count: number }[]>`
      select ((select count(*) from webhook_secret_references) + (select count(*) from webhook_secret_objects))::int as count`
    return row?.count
  }
  const { id } = await applied(world.core, object)
  await prepareSecret(world.core, FENCE, id)
  await giveSecret(world.core, object, CHOSEN)
  await giveSecret(world.core, anObject(world.orgId), CHOSEN)
  await forgetGoneObjects(world.core, FENCE, [])
  expect(await records()).toBe(3)
  await database.moveClock(3700)
  await forgetGoneObjects(world.core, FENCE, [])
  expect(await records()).toBe(2)
  await deleteManaged(world.core, FENCE, object.uid)
  expect(await records()).toBe(0)
})
