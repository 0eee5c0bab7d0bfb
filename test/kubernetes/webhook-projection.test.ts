// Webhooks of the panel, as kubectl shows them and as its users may command them.
import { expect, test } from 'vitest'
import type { WebhookId } from '#core/ids.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import { changeWebhook, deleteWebhookRow } from '#core/webhook/store.ts'
import { WEBHOOK_SUBSCRIPTIONS } from '../../controller/webhook-subscription/resource.ts'
import { aWebhook } from '../support/builders/webhooks.ts'
import { condition, operatorWorld, promptly, rowsBehind } from '../support/servers/operator-world.ts'

const world = await operatorWorld({ SEALWRIGHT_MIRROR_SWEEP_INTERVAL: '2s' })
const { core, orgId, database } = world
await world.start()

/** A webhook of the panel that kubectl shows. */
async function shown(): Promise<{ id: WebhookId; name: string }> {
  const id = await aWebhook(core, orgId)
  const name = `api-${id}`
  await promptly(async () => expect(condition(await world.object(name), 'Ready')).toBe('True Ready'))
  return { id, name }
}

/** What the API server stores after a change comes to rest. */
async function resourceVersion(name: string): Promise<string | undefined> {
  return (await world.object(name))?.metadata.resourceVersion
}

test('a webhook of the panel is shown by kubectl within 5 s, with labels and status', async () => {
  const id = await aWebhook(core, orgId, ['signer.signed', 'envelope.sent'])
  await promptly(async () => {
    const object = await world.object(`api-${id}`)
    expect(object).toMatchObject({
      metadata: { labels: { 'sealwright.io/org-id': orgId, 'sealwright.io/subscription-id': id } },
      spec: { orgId, origin: 'API', url: `https://receiver.example/${id}`, events: ['envelope.sent', 'signer.signed'] },
      status: { subscriptionId: id, rowVersion: (await world.row({ id }))?.version, observedGeneration: 1 },
    })
    expect(condition(object, 'Ready')).toBe('True Ready')
  })
  await promptly(async () => expect(await world.eventsOf(`api-${id}`)).toContain('Accepted'))
})

test('a change of the panel is shown, and a deletion deletes the object', async () => {
  const { id, name } = await shown()
  await changeWebhook(database.system, orgId, id, { url: 'https://changed.example/', description: 'CRM' })
  await promptly(async () =>
    expect((await world.object(name))?.spec).toMatchObject({ url: 'https://changed.example/', description: 'CRM' }),
  )
  await deleteWebhookRow(database.system, orgId, id)
  await promptly(async () => expect(await world.object(name)).toBeUndefined())
})

test("a user's edit of the configuration is undone with an Event; suspend, rotation and probe stay", async () => {
  const { id, name } = await shown()
  await world.patch(name, { spec: { suspend: true, rotation: { request: 'r1' }, probe: { request: 'p1' } } })
  await promptly(async () => expect(condition(await world.object(name), 'Suspended')).toBe('True BySpec'))
  await world.patch(name, { spec: { url: 'https://edited.example/' } })
  await promptly(async () => {
    const spec = { url: `https://receiver.example/${id}`, suspend: true, rotation: { request: 'r1' }, probe: { request: 'p1' } }
    expect((await world.object(name))?.spec).toMatchObject(spec)
    expect(await world.eventsOf(name)).toContain('ChangeReverted')
  })
})

test('suspend, rotation and probe of kubectl reach the row once', async () => {
  const { id, name } = await shown()
  const before = await world.row({ id })
  await world.patch(name, { spec: { suspend: true, rotation: { request: 'r1' } } })
  await promptly(async () => {
    expect(await world.row({ id })).toMatchObject({ suspended: true, secret: { handledRequest: 'r1' } })
    expect((await world.object(name))?.status?.secret).toMatchObject({ handledRequest: 'r1' })
  })
  expect(condition(await world.object(name), 'RotationInProgress')).toBe('True GracePeriod')
  expect((await world.row({ id }))?.secret.revision).toBe((before?.secret.revision ?? 0) + 1)
  await promptly(async () => expect(await world.eventsOf(name)).toContain('RotationStarted'))
  await world.patch(name, { spec: { suspend: false } })
  await promptly(async () => expect((await world.row({ id }))?.suspended).toBe(false))
  expect((await world.row({ id }))?.secret.revision).toBe((before?.secret.revision ?? 0) + 1)
})

test('an object that was deleted by hand comes back, still suspended', async () => {
  const { id, name } = await shown()
  await world.patch(name, { spec: { suspend: true } })
  await promptly(async () => expect((await world.row({ id }))?.suspended).toBe(true))
  const { uid } = (await world.object(name))?.metadata ?? {}
  await world.remove(name)
  await promptly(async () => {
    const object = await world.object(name)
    expect(object?.metadata.uid).not.toBe(uid)
    expect(object?.spec.suspend).toBe(true)
    expect(condition(object, 'Ready')).toBe('True Suspended')
  })
  expect((await world.row({ id }))?.suspended).toBe(true)
})

test('sweeps repair what no notification reported, and write nothing else', async () => {
  const { name } = await shown()
  const version = await resourceVersion(name)
  const { id: lost, name: rowless } = await shown()
  await database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`delete from webhooks where id = ${lost}`
  })
  await promptly(async () => expect(await world.object(rowless)).toBeUndefined())
  expect(await resourceVersion(name)).toBe(version)
})

test('a database that was restored to an earlier time changes nothing until a human decides', async () => {
  const { id, name } = await shown()
  await changeWebhook(database.system, orgId, id, { description: 'after the backup' })
  await promptly(async () => expect((await world.object(name))?.status?.rowVersion).toBe((await world.row({ id }))?.version))
  await database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`update webhooks set description = '', version = 1 where id = ${id}`
  })
  await promptly(async () => expect(condition(await world.object(name), 'Synced')).toBe('False StoreRolledBack'))
  expect((await world.object(name))?.spec.description).toBe('after the backup')
  await world.patch(name, { metadata: { annotations: { 'sealwright.io/resolve': 'from-row' } } })
  await promptly(async () => {
    const object = await world.object(name)
    expect(object?.spec.description).toBe('')
    expect(condition(object, 'Synced')).toBe('True Synced')
    expect(object?.metadata.annotations?.['sealwright.io/resolve']).toBeUndefined()
  })
  expect((await rowsBehind(world)).filter((each) => each.includes(name))).toEqual([])
})

test('an object that a user creates with origin API is refused by its condition and left alone', async () => {
  await world.create('mine', { origin: 'API' })
  await promptly(async () => expect(condition(await world.object('mine'), 'Synced')).toBe('False Conflict'))
})

test('the fields of the projection are applied, under one manager', async () => {
  const { name } = await shown()
  const path = objectPath(WEBHOOK_SUBSCRIPTIONS, world.namespace, name)
  const { metadata } = await world.kube.requests.request<{
    metadata: { managedFields: { manager: string; operation: string }[] }
  }>({
    method: 'GET',
    path,
  })
  expect(metadata.managedFields).toContainEqual(expect.objectContaining({ manager: 'sealwright-projection', operation: 'Apply' }))
})

test('the status map names the leader and the age of the outbox', async () => {
  await promptly(async () => {
    expect(await world.statusMap()).toMatchObject({
      leader: expect.any(String) as string,
      outboxAgeSeconds: '0',
      orphans: '[]',
      problems: '[]',
    })
  }, 15_000)
})
