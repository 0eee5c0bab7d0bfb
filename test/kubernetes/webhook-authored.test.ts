// Webhooks that are created in Kubernetes.
import { expect, test } from 'vitest'
import { signingSecretsOf } from '../support/builders/managed-webhooks.ts'
import { condition, operatorWorld, promptly } from '../support/servers/operator-world.ts'

const world = await operatorWorld({ SEALWRIGHT_MIRROR_SWEEP_INTERVAL: '2s' })
const { database } = world
let operator = await world.start()
await promptly(async () => expect(operator.isLeader()).toBe(true), 15_000)

/** An object with its row. */
async function accepted(name: string, spec: object = {}): Promise<{ id: string; uid: string }> {
  await world.create(name, spec)
  await promptly(async () => expect(condition(await world.object(name), 'Ready')).toMatch(/^True/))
  const object = await world.object(name)
  return { id: object?.status?.subscriptionId ?? '', uid: object?.metadata.uid ?? '' }
}

/** What the Secret that the object names holds. */
async function secretOf(name: string): Promise<Record<string, string> | undefined> {
  const { secretName } = (await world.object(name))?.status?.secret ?? {}
  return secretName === undefined ? undefined : world.secret(secretName)
}

/** What the deliveries of the object's webhook are signed with, the current secret first. */
async function secretsOfRow(uid = ''): Promise<string[]> {
  return signingSecretsOf(world.core, (await world.row({ uid }))?.id ?? '')
}

/** As an etcd that was restored: the object is gone, and no controller saw a deletion. */
async function vanish(name: string): Promise<void> {
  await operator[Symbol.asyncDispose]()
  await world.patch(name, { metadata: { finalizers: [] } })
  await world.remove(name)
  operator = await world.start()
}

test('an object becomes a webhook of the organisation, with its secret in a Secret', async () => {
  const { id, uid } = await accepted('billing', { description: 'Billing' })
  expect(await world.row({ uid })).toMatchObject({
    id,
    origin: 'KUBERNETES',
    url: 'https://billing.example.com/hook',
    description: 'Billing',
  })
  const object = await world.object('billing')
  expect(object?.metadata.finalizers).toContain('sealwright.io/subscription')
  expect(object?.status?.secret?.secretName).toMatch(/^billing-webhook-r1-/)
  expect((await secretOf('billing'))?.['secret']).toMatch(/^whsec_/)
})

test('every change of the object reaches the row, and a rotation the Secret', async () => {
  const { uid } = await accepted('changing')
  const first = (await world.object('changing'))?.status?.secret?.secretName ?? ''
  const before = await secretOf('changing')
  await world.patch('changing', { spec: { events: ['envelope.sent'], suspend: true, rotation: { request: 'r1' } } })
  await promptly(async () => {
    expect(await world.row({ uid })).toMatchObject({
      eventTypes: ['envelope.sent'],
      suspended: true,
      secret: { handledRequest: 'r1' },
    })
    const secret = await secretOf('changing')
    expect(secret?.['previous']).toBe(before?.['secret'])
    expect(secret?.['secret']).not.toBe(before?.['secret'])
    expect(await world.secret(first)).toBeUndefined()
  })
  await promptly(async () =>
    expect(await world.eventsOf('changing')).toEqual(expect.arrayContaining(['Accepted', 'RotationStarted'])),
  )
  // The end of the grace, by the clock of the database.
  await database.moveClock(2 * 86_400)
  await world.patch('changing', { spec: { suspend: false } })
  await promptly(async () => {
    expect(condition(await world.object('changing'), 'RotationInProgress')).toBe('False NoRotation')
    expect(Object.keys((await secretOf('changing')) ?? {})).toEqual(['secret'])
  })
  await database.moveClock(0)
})

const LABELLED = { 'sealwright.io/webhook-secret': 'true' }
const messageOf = async (name: string) =>
  (await world.object(name))?.status?.conditions?.find(({ type }) => type === 'Accepted')?.message

test('the secret that an object names is read by a worker, and copied nowhere; without a worker the object says so', async () => {
  const message = () => messageOf('own-secret')
  await world.create('own-secret', { secretRef: { name: 'given' } })
  const requests = () => database.owner`select from webhook_secret_references where name = 'given'`
  await promptly(async () => expect(await requests()).toHaveLength(1))
  await database.moveClock(15)
  await world.patch('own-secret', { spec: { description: 'late' } })
  await promptly(async () => expect(await message()).toContain('No worker has read the Secret'))
  await world.startWorker()
  await promptly(async () => expect(await message()).toContain('There is no Secret'))
  expect(condition(await world.object('own-secret'), 'Ready')).toBe('False SecretUnusable')
  await world.createSecret('given', { secret: 'a-secret-of-our-own-1' }, LABELLED)
  await database.moveClock(80)
  // A poll of the worker, then a reconcile.
  await promptly(async () => expect(condition(await world.object('own-secret'), 'Ready')).toMatch(/^True/), 15_000)
  const { status, metadata } = (await world.object('own-secret')) ?? {}
  expect(await secretsOfRow(metadata?.uid)).toEqual(['a-secret-of-our-own-1'])
  expect(status?.secret).toEqual({ revision: 1 })
  expect(await world.secretNames('own-secret')).toEqual([])
  await database.moveClock(0)
})

test('a Secret without the label answers like one that does not exist, and its content is not requested', async () => {
  await world.startWorker()
  await world.createSecret('app-database', { url: 'postgres://app:password@db/app' })
  const references = {
    absent: { name: 'absent' },
    keyless: { name: 'app-database', key: 'nokey' },
    taken: { name: 'app-database', key: 'url' },
  }
  const answers = Object.entries(references).map(async ([name, secretRef]) => {
    await world.create(`probing-${name}`, { secretRef })
    await promptly(async () => expect(condition(await world.object(`probing-${name}`), 'Ready')).toBe('False SecretUnusable'))
    return (await messageOf(`probing-${name}`))?.replaceAll(secretRef.name, 'NAME')
  })
  const [first, ...others] = await Promise.all(answers)
  expect(first).toContain('kubectl -n')
  expect(others).toEqual([first, first])
  await promptly(async () => expect(await world.eventsOf('probing-taken')).toContain('Refused'))
})

test('a rotation reads the Secret again that the object names', async () => {
  await world.createSecret('rotated', { secret: 'a-secret-of-our-own-2' }, LABELLED)
  const { uid } = await accepted('own-rotation', { secretRef: { name: 'rotated' } })
  await world.removeSecret('rotated')
  await world.createSecret('rotated', { secret: 'a-secret-of-our-own-3' }, LABELLED)
  await world.patch('own-rotation', { spec: { rotation: { request: 'r1' } } })
  await promptly(async () => {
    expect(await secretsOfRow(uid)).toEqual(['a-secret-of-our-own-3', 'a-secret-of-our-own-2'])
    expect((await world.object('own-rotation'))?.status?.secret?.handledRequest).toBe('r1')
  })
})

test('a webhook that is given a Secret, and loses it, shows only generated secrets', async () => {
  await world.createSecret('for-a-while', { secret: 'a-secret-of-our-own-4' }, LABELLED)
  const { uid } = await accepted('changing-source')
  expect(await world.secretNames('changing-source')).toHaveLength(1)
  await world.patch('changing-source', { spec: { secretRef: { name: 'for-a-while' } } })
  await promptly(async () => expect(await world.secretNames('changing-source')).toEqual([]))
  expect((await secretsOfRow(uid))[0]).toBe('a-secret-of-our-own-4')
  await world.patch('changing-source', { spec: { secretRef: null } })
  await promptly(async () => expect(await secretOf('changing-source')).toEqual({ secret: expect.stringMatching(/^whsec_/) }))
  expect((await secretsOfRow(uid))[1]).toBe('a-secret-of-our-own-4')
})

test.each([
  ['orphan-org', { orgId: '00000000-0000-4000-8000-000000000001' }, 'OrganisationUnknown'],
  ['private-address', { url: 'https://api.internal.example/' }, 'AddressRefused'],
])('an object that the product does not accept says so: %s', async (name, spec, reason) => {
  await world.create(name, spec)
  await promptly(async () => expect(condition(await world.object(name), 'Accepted')).toBe(`False ${reason}`))
  await promptly(async () => expect(await world.eventsOf(name)).toContain('Refused'))
})

test('of two objects for the same the older one stays', async () => {
  const { id } = await accepted('older', { url: 'https://twice.example.com/' })
  // Of two objects of the same second the uids decide.
  const createdAt = Date.parse((await world.object('older'))?.metadata.creationTimestamp ?? '')
  await promptly(async () => expect(Date.now()).toBeGreaterThan(createdAt + 1000))
  await world.create('younger', { url: 'https://twice.example.com/' })
  await promptly(async () => expect(condition(await world.object('younger'), 'Accepted')).toBe('False Duplicate'))
  expect((await world.object('older'))?.status?.subscriptionId).toBe(id)
})

test('a deletion deletes the row, then the object', async () => {
  const { uid } = await accepted('leaving')
  await world.remove('leaving')
  await promptly(async () => expect(await world.object('leaving')).toBeUndefined())
  expect(await world.row({ uid })).toBeUndefined()
})

test('an object that vanished leaves an orphaned webhook, which a new object may adopt', async () => {
  const { id, uid } = await accepted('vanishing')
  const secret = await secretOf('vanishing')
  await vanish('vanishing')
  await promptly(async () => expect((await world.row({ uid }))?.orphanedAt).toBeInstanceOf(Date))
  await promptly(
    async () => expect(JSON.parse((await world.statusMap())?.['orphans'] ?? '[]')).toMatchObject([{ id, name: 'vanishing' }]),
    15_000,
  )
  // The same name is a new object, with a webhook of its own.
  const { id: another } = await accepted('vanishing', { url: 'https://another.example.com/' })
  expect(another).not.toBe(id)
  await world.patch('vanishing', { metadata: { annotations: { 'sealwright.io/adopt': id } } })
  await promptly(async () => {
    const object = await world.object('vanishing')
    expect(object?.status?.subscriptionId).toBe(id)
    expect(object?.metadata.annotations?.['sealwright.io/adopt']).toBeUndefined()
    expect(await secretOf('vanishing')).toEqual(secret)
  })
  expect(await world.row({ id })).toMatchObject({ orphanedAt: null, url: 'https://another.example.com/' })
  expect(await world.row({ id: another })).toBeUndefined()
})

test('what may not be adopted is a conflict, and goes away with the annotation', async () => {
  await accepted('adopting')
  await world.patch('adopting', { metadata: { annotations: { 'sealwright.io/adopt': '00000000-0000-4000-8000-000000000002' } } })
  await promptly(async () => expect(condition(await world.object('adopting'), 'Synced')).toBe('False Conflict'))
  await world.patch('adopting', { metadata: { annotations: { 'sealwright.io/adopt': null } } })
  await promptly(async () => expect(condition(await world.object('adopting'), 'Synced')).toBe('True Synced'))
})

test('a row that the database lost is not replaced until a human decides; then the receiver keeps its secret', async () => {
  const { uid } = await accepted('lost')
  const secret = await secretOf('lost')
  await database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`delete from webhooks where object_uid = ${uid}`
  })
  await promptly(async () => expect(condition(await world.object('lost'), 'Synced')).toBe('False StoreRolledBack'))
  await world.patch('lost', { metadata: { annotations: { 'sealwright.io/resolve': 'from-object' } } })
  await promptly(async () => expect(condition(await world.object('lost'), 'Ready')).toBe('True Ready'))
  expect(await world.row({ uid })).toBeDefined()
  expect(await secretOf('lost')).toEqual(secret)
})

test('the next leader creates a Secret again that was deleted, replaced, or left by a creation of unknown end', async () => {
  const names = ['deleted', 'replaced', 'interrupted']
  const objects = await Promise.all(names.map((name) => accepted(name)))
  const before = await Promise.all(names.map(secretOf))
  const [deleted = '', replaced = '', interrupted = ''] = await Promise.all(
    names.map(async (name) => (await world.object(name))?.status?.secret?.secretName),
  )
  await operator[Symbol.asyncDispose]()
  await world.removeSecret(deleted)
  await world.removeSecret(replaced)
  await world.createSecret(replaced, { secret: 'of others' })
  await database.owner`update webhook_secret_objects set uid = null where name = ${interrupted}`
  operator = await world.start()
  await promptly(async () => {
    expect(await Promise.all(names.map(secretOf))).toEqual(before)
    for (const { uid } of objects) {
      const created = (await world.row({ uid }))?.secret.created
      expect(created).toEqual([expect.objectContaining({ uid: expect.any(String) })])
    }
  }, 10_000)
})

test('a cluster that was restored to an earlier time changes nothing until a human decides', async () => {
  const { uid } = await accepted('rewound', { description: 'of the backup' })
  // As if a later generation had been recorded, with what it said.
  await database.owner`update webhooks set object_generation = 5, description = 'after the backup' where object_uid = ${uid}`
  await promptly(async () => expect(condition(await world.object('rewound'), 'Synced')).toBe('False StoreRolledBack'))
  expect((await world.row({ uid }))?.description).toBe('after the backup')
  await world.patch('rewound', { metadata: { annotations: { 'sealwright.io/resolve': 'from-row' } } })
  await promptly(async () => {
    const object = await world.object('rewound')
    expect([condition(object, 'Synced'), object?.spec.description]).toEqual(['True Synced', 'after the backup'])
    expect(object?.metadata.annotations?.['sealwright.io/resolve']).toBeUndefined()
  })
  expect(await world.row({ uid })).toMatchObject({ description: 'after the backup', object: { generation: 2 } })
})
