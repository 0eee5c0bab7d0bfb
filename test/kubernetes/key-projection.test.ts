// Signing keys managed in Postgres: the installation's own, and imported ones.
import { expect, test } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { importKey } from '#core/signing-key/import-key.ts'
import { markCompromised } from '#core/signing-key/mark-compromised.ts'
import { openedKey, p12File } from '../support/builders/signing-keys.ts'
import { keyWorld, pkcs12 } from '../support/servers/key-world.ts'
import { condition } from '../support/servers/operator-world.ts'

const keys = await keyWorld({ SEALWRIGHT_MIRROR_SWEEP_INTERVAL: '1s' })
const { world, until } = keys
const { core, orgId } = world
await keys.start()
await keys.worker('first')

const isReady = (name: string) => until(async () => expect(condition(await keys.object(name), 'Ready')).toBe('True Ready'))
const resourceVersion = async (name: string) => (await keys.object(name))?.metadata.resourceVersion
const messageOf = async (name: string, type: string) =>
  (await keys.object(name))?.status?.conditions?.find((each) => each.type === type)?.message
const imported = async () => openedKey(await newSelfSignedKey({ commonName: 'Imported', organisation: 'Test', now: new Date() }))

test("the installation's own key is shown, comes back, and changes only by a request", async () => {
  await isReady('installation')
  expect((await keys.object('installation'))?.spec).toEqual({
    origin: 'API',
    state: 'Active',
    provider: { type: 'Installation' },
  })
  expect(condition(await keys.object('installation'), 'Trusted')).toBe('False SelfSigned')
  await keys.remove('installation')
  await isReady('installation')

  await keys.patch('installation', { spec: { state: 'Standby', compromisedSince: '2026-01-01T00:00:00Z' } })
  await until(async () =>
    expect((await keys.object('installation'))?.spec).toEqual({
      origin: 'API',
      state: 'Active',
      provider: { type: 'Installation' },
    }),
  )
  await until(async () => expect(await world.eventsOf('installation')).toContain('ChangeReverted'))

  await keys.patch('installation', { spec: { rotation: { request: 'r1' } } })
  await until(async () =>
    expect((await keys.object('installation'))?.status).toMatchObject({ handledRequest: 'r1', active: { version: 2 } }),
  )
  expect((await keys.row('installation'))?.active).toMatchObject({ version: 2, selfMade: true })
})

test('an imported key is shown under its id, and its rotation names the command', async () => {
  const { keyId } = await importKey(core, { orgId, opened: await imported() })
  const name = `api-${keyId}`
  await isReady(name)
  expect((await keys.object(name))?.spec).toEqual({ orgId, origin: 'API', state: 'Active', provider: { type: 'Installation' } })
  expect(await keys.sealing()).toBe(`${keyId} 1`)
  await keys.patch(name, { spec: { rotation: { request: 'r1' } } })
  await until(async () =>
    expect(await messageOf(name, 'RotationInProgress')).toMatch(/"r1".*sealwright key import --p12 FILE --org/),
  )
  expect((await keys.row({ id: keyId }))?.versions).toHaveLength(1)

  await markCompromised(core, keyId, new Date('2026-01-15T08:00:00Z'))
  await until(async () => expect((await keys.object(name))?.spec.compromisedSince).toBe('2026-01-15T08:00:00Z'))
  await until(async () => expect(condition(await keys.object(name), 'Ready')).toBe('False Compromised'))

  // Nothing but a sweep sees this; it writes this object, and no other.
  const untouched = await resourceVersion('installation')
  await world.database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`update signing_keys set compromised_since = null where id = ${keyId}`
  })
  await until(async () => expect((await keys.object(name))?.spec.compromisedSince).toBeUndefined())
  await isReady(name)
  expect(await resourceVersion('installation')).toBe(untouched)
})

test('where the last key of an issuer goes, the installation says that documents wait for more trust', async () => {
  await keys.putSecret('good', { 'tls.p12': p12File('p256-aes'), password: 'secret' })
  await keys.create('everyone', pkcs12('good'))
  await isReady('everyone')
  await keys.remove('everyone')
  await until(async () => expect(condition(await keys.object('installation'), 'Ready')).toBe('False SelfSigned'))
  expect(await messageOf('installation', 'Ready')).toMatch(/^Documents wait: .*sealwright key rotate$/)
  await keys.patch('installation', { spec: { rotation: { request: 'accept' } } })
  await isReady('installation')
})

test('an object that a user creates with origin API is refused by its condition and left alone', async () => {
  await keys.create('mine', { origin: 'API', provider: { type: 'Installation' } })
  await until(async () => expect(condition(await keys.object('mine'), 'Synced')).toBe('False Conflict'))
})
