// Signing keys that Kubernetes objects decide about: which are accepted, which seal, and what their end means.
import { randomUUID } from 'node:crypto'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { countOrphanedSigningKeys, deleteManagedKey, markOrphanedSigningKeys } from '#core/signing-key/delete-managed-key.ts'
import { listKeys, readKey } from '#core/signing-key/list-keys.ts'
import { retireKey } from '#core/signing-key/retire-key.ts'
import { rotateKey } from '#core/signing-key/rotate-key.ts'
import { storeSelfSignedKey } from '#core/signing-key/store-self-signed-key.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aManagedKey, FENCE, type KeyRig, keyRig, OWN_KEY, statesOf } from '../support/builders/key-rig.ts'

let rig: KeyRig

beforeAll(async () => {
  rig = await keyRig()
})
beforeEach(() => rig.reset())
afterAll(() => rig[Symbol.asyncDispose]())

test("the installation's own key is a row with one active version, stored once", async () => {
  await storeSelfSignedKey(rig.core, { key: OWN_KEY })
  const [own, ...others] = await listKeys(rig.core)
  expect(others).toEqual([])
  expect(own).toMatchObject({ orgId: null, origin: 'API', providerType: 'INSTALLATION', state: 'ACTIVE', object: null })
  expect(statesOf(own!)).toEqual(['1 ACTIVE'])
  expect(own!.active?.certificate).toMatchObject({
    fingerprint: OWN_KEY.certificate.fingerprint,
    isSelfSigned: false,
    isChainComplete: true,
  })
  expect(await rig.sealing()).toBe(`${own!.id} 1`)
})

test('an object makes a key, and repeating it changes nothing', async () => {
  const key = aManagedKey({ orgId: rig.orgId })
  const first = await rig.upsert(key)
  const before = await readKey(rig.core, { uid: key.uid })
  expect(await rig.upsert(key)).toEqual({ ...first, created: false })
  expect(await readKey(rig.core, { uid: key.uid })).toEqual(before)
  expect(before).toMatchObject({
    orgId: rig.orgId,
    origin: 'KUBERNETES',
    state: 'ACTIVE',
    object: { name: key.name, generation: 1 },
  })
})

test('an object is refused for an unknown organisation, and for a self-signed key where those are not allowed', async () => {
  expect(await rig.upsert(aManagedKey({ orgId: randomUUID() }))).toMatchObject({
    outcome: 'refused',
    reason: 'OrganisationUnknown',
  })
  const selfSigned = aManagedKey({ providerType: 'SELF_SIGNED' })
  expect(await rig.upsert(selfSigned)).toMatchObject({ outcome: 'refused', reason: 'SelfSignedNotAllowed' })
  expect(await rig.upsert(selfSigned, true)).toMatchObject({ outcome: 'applied' })
})

test('of two active keys for the same documents the one in use stays, and the refusal names it', async () => {
  const first = aManagedKey({ orgId: rig.orgId })
  await rig.applied(first)
  const second = aManagedKey({ orgId: rig.orgId })
  expect(await rig.upsert(second)).toMatchObject({
    reason: 'AnotherKeyActive',
    message: expect.stringContaining(`keys/${first.name}`),
  })
  expect(await rig.upsert({ ...second, orgId: null })).toMatchObject({ outcome: 'applied' })
  await rig.applied({ ...first, state: 'STANDBY' })
  expect(await rig.upsert(aManagedKey({ orgId: rig.orgId }))).toMatchObject({ outcome: 'applied' })
})

test('the key with the older object takes the place of a younger one that cannot seal', async () => {
  const [older, younger] = [aManagedKey({ orgId: rig.orgId }), aManagedKey({ orgId: rig.orgId })]
  const id = await rig.applied(younger)
  await rig.applied(older)
  expect((await rig.view(id)).state).toBe('STANDBY')
})

test('the key with the older object does not take the place of one that seals before it can seal itself', async () => {
  await using first = await rig.worker('first')
  const [older, younger] = [aManagedKey({ orgId: rig.orgId }), aManagedKey({ orgId: rig.orgId })]
  const id = await rig.applied(younger)
  await rig.announce(id, 'good')
  await first.sync()
  expect(await rig.upsert(older)).toMatchObject({ reason: 'AnotherKeyActive' })
  expect(await rig.sealing()).toBe(`${id} 1`)
})

test('retired is final', async () => {
  const key = aManagedKey({ state: 'RETIRED' })
  const id = await rig.applied(key)
  await rig.applied({ ...key, state: 'ACTIVE' })
  expect((await rig.view(id)).state).toBe('RETIRED')
  await expect(rig.announce(id, 'good')).rejects.toMatchObject({ reason: 'Retired' })
})

test('a version is announced once a request, and once a Secret without one', async () => {
  const id = await rig.applied(aManagedKey())
  expect(await rig.announce(id, 'good')).toEqual({ version: 1 })
  expect(await rig.announce(id, 'good')).toEqual({ version: 1 })
  expect(await rig.announce(id, 'better')).toEqual({ version: 2 })
  expect(await rig.announce(id, 'better', 'once')).toEqual({ version: 3 })
  expect(await rig.announce(id, 'better', 'once')).toEqual({ version: 3 })
  expect(statesOf(await rig.view(id))).toEqual(['3 ANNOUNCED', '2 RETIRED', '1 RETIRED'])
})

test('a request is carried out by the version that replaces its faulty one', async () => {
  await using only = await rig.worker('only')
  const id = await rig.applied(aManagedKey({ orgId: rig.orgId }))
  await rig.announce(id, 'missing', 'once')
  await only.sync()
  expect((await rig.view(id)).next?.failure?.reason).toBe('SecretMissing')
  expect(await rig.announce(id, 'good', 'once')).toEqual({ version: 2 })
  expect(await rig.announce(id, 'good', 'once')).toEqual({ version: 2 })
  await only.sync()
  expect(await rig.view(id)).toMatchObject({ handledRequest: 'once', active: { version: 2 } })
  expect(await rig.announce(id, 'better', 'once')).toEqual({ version: 2 })
})

test('a key whose object disappeared goes to one that can seal, or is retired by an operator', async () => {
  await using only = await rig.worker('only')
  const [orphan, next] = [aManagedKey({ orgId: rig.orgId }), aManagedKey({ orgId: rig.orgId })]
  const id = await rig.applied(orphan)
  await expect(retireKey(rig.core, id)).rejects.toMatchObject({ reason: 'ManagedByKubernetes' })
  await rig.announce(id, 'good')
  await only.sync()
  await markOrphanedSigningKeys(rig.core, FENCE, [orphan.uid])
  expect(await countOrphanedSigningKeys(rig.core)).toBe(1)
  expect(await rig.upsert(next)).toMatchObject({
    reason: 'AnotherKeyActive',
    message: expect.stringContaining('has disappeared'),
  })
  const nextId = await rig.applied({ ...next, state: 'STANDBY' })
  await rig.announce(nextId, 'better')
  await only.sync()
  await rig.applied(next)
  expect(await rig.sealing()).toBe(`${nextId} 1`)
  await retireKey(rig.core, id)
  expect(await countOrphanedSigningKeys(rig.core)).toBe(0)
})

test('a key with a compromise does not seal, and its certificates are marked', async () => {
  await using only = await rig.worker('only')
  const key = aManagedKey({ orgId: rig.orgId })
  const id = await rig.applied(key)
  await rig.announce(id, 'good')
  await only.sync()
  const since = new Date(Date.now() - 60_000)
  await rig.applied({ ...key, compromisedSince: since })
  expect(await rig.sealing()).toBe('Compromised')
  const { fingerprint } = (await rig.view(id)).active!.certificate!
  const marks = () => rig.database.owner`select compromised_from from seal_certificates where fingerprint = ${fingerprint}`
  expect(await marks()).toEqual([{ compromisedFrom: since }])
  await rig.announce(id, 'better', 'renew')
  await only.sync()
  expect(await rig.sealing()).toBe('Compromised')
})

test('where the last key of an issuer is deleted, seals wait until a new one, or a new self-signed one', async () => {
  await using only = await rig.worker('only')
  const key = aManagedKey()
  const id = await rig.applied(key)
  await rig.announce(id, 'good')
  await only.sync()
  expect(await rig.sealing()).toBe(`${id} 1`)
  await deleteManagedKey(rig.core, FENCE, key.uid)
  expect(await rig.view(id)).toMatchObject({ state: 'RETIRED', object: null, versions: [{ state: 'RETIRED' }] })
  expect(await rig.sealing()).toBe('LessTrust')
  const { keyId, version } = await rotateKey(rig.core, { request: 'accept', fence: FENCE })
  expect(await rotateKey(rig.core, { request: 'accept', fence: FENCE })).toEqual({ keyId, version })
  await only.sync()
  expect(await rig.sealing()).toBe(`${keyId} ${version}`)
})

test('a retired key of another organisation makes no other wait', async () => {
  await using only = await rig.worker('only')
  const other = (await createOrganisation(rig.core, { name: 'Another' })).orgId
  const key = aManagedKey({ orgId: other })
  const id = await rig.applied(key)
  await rig.announce(id, 'good')
  await only.sync()
  expect(await rig.sealing(other)).toBe(`${id} 1`)
  await deleteManagedKey(rig.core, FENCE, key.uid)
  expect(await rig.sealing(other)).toBe('LessTrust')
  expect(await rig.sealing()).not.toBe('LessTrust')
})

test('a key whose object disappeared is marked once, and again by its object', async () => {
  const key = aManagedKey()
  const id = await rig.applied(key)
  expect(await markOrphanedSigningKeys(rig.core, FENCE, [key.uid])).toBe(1)
  expect(await markOrphanedSigningKeys(rig.core, FENCE, [key.uid])).toBe(0)
  expect((await rig.view(id)).orphanedAt).toBeInstanceOf(Date)
  await rig.applied(key)
  expect((await rig.view(id)).orphanedAt).toBeNull()
})

test('private keys are in the database only encrypted', async () => {
  const { keyId, version } = await rotateKey(rig.core, {})
  const [row] = await rig.database.owner<{ box: Buffer }[]>`
    select box from signing_key_materials where key_id = ${keyId} and version = ${version}`
  expect(row!.box.includes('PRIVATE KEY')).toBe(false)
  expect(rig.core.keys.open(row!.box, `signing key ${keyId} version ${version}`)).toContain('PRIVATE KEY')
  expect(() => rig.core.keys.open(row!.box, `signing key ${keyId} version ${version + 1}`)).toThrow()
})

test('the api sees neither material nor the keys of another organisation', async () => {
  const id = await rig.applied(aManagedKey({ orgId: rig.orgId }))
  for (const table of ['signing_key_materials', 'key_workers', 'key_loads'])
    await expect(rig.database.api.unsafe(`select * from ${table}`)).rejects.toThrow('permission denied')
  expect(await rig.database.api`select id from signing_keys where id = ${id}`).toEqual([])
})
