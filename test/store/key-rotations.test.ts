// Rotations of signing keys while workers come, go and fail.
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { advanceRotations } from '#core/signing-key/advance-rotations.ts'
import { announceVersion } from '#core/signing-key/announce-version.ts'
import { chooseVersion } from '#core/signing-key/choose-version.ts'
import { deleteMaterial } from '#core/signing-key/delete-material.ts'
import { listKeys } from '#core/signing-key/list-keys.ts'
import { markCompromised } from '#core/signing-key/mark-compromised.ts'
import { registerKeyFile } from '#core/signing-key/register-key-file.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aManagedKey, FENCE, type KeyRig, keyRig, statesOf } from '../support/builders/key-rig.ts'
import { keyWorker, openedKey, p12File, pemEntries } from '../support/builders/signing-keys.ts'

let rig: KeyRig

beforeAll(async () => {
  rig = await keyRig()
})
beforeEach(() => rig.reset())
afterAll(() => rig[Symbol.asyncDispose]())

test('a version seals after every live worker has loaded it, and the old one is released when no worker needs it', async () => {
  await using first = await rig.worker('first')
  await using second = await rig.worker('second')
  const id = await rig.applied(aManagedKey())
  await rig.announce(id, 'good')
  await first.sync()
  await second.sync()
  expect(await rig.sealing()).toBe(`${id} 1`)
  await rig.announce(id, 'better', 'renew')
  await first.sync()
  const rotating = await rig.view(id)
  expect(rotating.loadedBy).toEqual({ loaded: 1, live: 2, missing: ['second'] })
  expect(rotating.rotation).not.toBeNull()
  expect(await rig.sealing()).toBe(`${id} 1`)
  await second.sync()
  const rotated = await rig.view(id)
  expect([rotated.handledRequest, rotated.rotation, rotated.loadedBy.loaded]).toEqual(['renew', null, 2])
  expect(await rig.sealing()).toBe(`${id} 2`)
  expect(rotated.versions.map(({ isReleased }) => isReleased)).toEqual([false, false])
  await first.sync()
  await second.sync()
  expect((await rig.view(id)).versions.map(({ isReleased }) => isReleased)).toEqual([false, true])
})

test('a worker that holds the old version keeps it loaded until it lets go', async () => {
  await using only = await rig.worker('only')
  const id = await rig.applied(aManagedKey())
  await rig.announce(id, 'good')
  await only.sync()
  const held = await only.acquire(await chooseVersion(rig.core, rig.orgId))
  await rig.announce(id, 'better', 'renew')
  await only.sync()
  await only.sync()
  await advanceRotations(rig.core)
  expect((await rig.view(id)).versions[1]).toMatchObject({ state: 'RETIRED', isReleased: false })
  await deleteMaterial(rig.core, FENCE, { keyId: id, version: 1 })
  expect((await rig.view(id)).versions[1]!.material).not.toBeNull()
  held[Symbol.dispose]()
  await only.sync()
  expect((await rig.view(id)).versions[1]).toMatchObject({ state: 'RETIRED', isReleased: true })
  await deleteMaterial(rig.core, FENCE, { keyId: id, version: 1 })
  expect((await rig.view(id)).versions[1]).toMatchObject({ version: 1, material: null })
})

test('after a minute a rotation does not wait for a worker that did not load it, and after a crash for none that is not seen', async () => {
  await using first = await rig.worker('first')
  await using stuck = await rig.worker('stuck')
  const id = await rig.applied(aManagedKey())
  await rig.announce(id, 'good')
  await first.sync()
  await stuck.sync()
  await rig.announce(id, 'better', 'renew')
  await first.sync()
  await rig.database.moveClock(61)
  for (const each of [first, stuck]) await each.heartbeat()
  await advanceRotations(rig.core)
  expect(await rig.sealing()).toBe(`${id} 2`)
  expect((await rig.view(id)).loadedBy).toEqual({ loaded: 1, live: 2, missing: ['stuck'] })
  await rig.announce(id, 'good', 'again')
  await rig.database.moveClock(61 + 31)
  await first.heartbeat()
  await first.sync()
  expect(await rig.sealing()).toBe(`${id} 3`)
})

const FAULTS: [string, Record<string, Buffer | string> | undefined, string][] = [
  ['no Secret', undefined, 'SecretMissing'],
  ['a Secret without the entry', { other: 'x' }, 'SecretMissing'],
  ['a Secret without the password', { 'tls.p12': p12File('p256-aes') }, 'SecretMissing'],
  ['junk', { 'tls.p12': 'junk', password: 'secret' }, 'NotPkcs12'],
  ['a wrong password', { 'tls.p12': p12File('p256-aes'), password: 'wrong' }, 'WrongPassword'],
  ['no private key', { 'tls.p12': p12File('no-key'), password: 'secret' }, 'NoPrivateKey'],
  ['no certificate', { 'tls.p12': p12File('no-certificate'), password: 'secret' }, 'NoPrivateKey'],
  ['a weak key', { 'tls.p12': p12File('weak'), password: 'secret' }, 'KeyTooWeak'],
]

test.each(FAULTS)('%s never replaces what is in use, and is used once it is repaired', async (_name, entries, reason) => {
  await using first = await rig.worker('first')
  await using second = await rig.worker('second')
  const id = await rig.applied(aManagedKey())
  await rig.announce(id, 'good')
  await first.sync()
  await second.sync()
  if (entries) rig.secrets.set('new', entries)
  await rig.announce(id, 'new', 'renew')
  await first.sync()
  const failed = await rig.view(id)
  expect(failed.next).toMatchObject({
    version: 2,
    state: 'FAILED',
    failure: { reason, message: expect.stringMatching(/\.( .*)?$/) },
  })
  expect(failed.handledRequest).toBeNull()
  const { reads } = rig.secrets
  const { rowVersion } = failed
  await first.sync()
  expect(rig.secrets.reads).toBe(reads)
  await rig.database.moveClock(90)
  for (const each of [first, second]) await each.heartbeat()
  for (const each of [first, second]) await each.sync()
  expect(await rig.sealing()).toBe(`${id} 1`)
  // Failing again in the same way is no change; the other worker's failure is one.
  expect((await rig.view(id)).rowVersion).toBe(rowVersion + 1)
  rig.secrets.set('new', { 'tls.p12': p12File('rsa-aes'), password: 'secret' })
  await rig.database.moveClock(101)
  for (const each of [first, second]) await each.heartbeat()
  for (const each of [first, second]) await each.sync()
  expect(await rig.sealing()).toBe(`${id} 2`)
  expect((await rig.view(id)).handledRequest).toBe('renew')
})

test('an expired certificate is refused, and one that is not valid yet is used when it is', async () => {
  await using only = await rig.worker('only')
  const day = 86_400
  const tomorrow = await newSelfSignedKey({
    commonName: 'Tomorrow',
    organisation: 'Test',
    now: new Date(Date.now() + day * 1000),
  })
  const past = await newSelfSignedKey({
    commonName: 'Past',
    organisation: 'Test',
    now: new Date(Date.now() - 4 * 365 * day * 1000),
  })
  rig.secrets.set('past', pemEntries(past))
  rig.secrets.set('tomorrow', pemEntries(tomorrow))
  const id = await rig.applied(aManagedKey({ providerType: 'CERT_MANAGER' }))
  const material = (name: string) => ({ kind: 'SECRET', namespace: 'keys', name, key: 'tls.key' }) as const
  await announceVersion(rig.core, FENCE, { keyId: id, material: material('past') })
  await only.sync()
  expect((await rig.view(id)).next?.failure?.reason).toBe('Expired')
  await announceVersion(rig.core, FENCE, { keyId: id, material: material('tomorrow') })
  await only.sync()
  expect((await rig.view(id)).next?.failure?.reason).toBe('NotYetValid')
  await rig.database.moveClock(day)
  await only.heartbeat()
  await only.sync()
  expect(await rig.sealing()).toBe(`${id} 2`)
})

test('a Secret that was changed in place is announced as the next version when a worker starts', async () => {
  const id = await rig.applied(aManagedKey())
  {
    await using first = await rig.worker('first')
    await rig.announce(id, 'good')
    await first.sync()
  }
  rig.secrets.set('good', { 'tls.p12': p12File('rsa-aes'), password: 'secret' })
  await using next = await rig.worker('next')
  await next.sync()
  await next.sync()
  expect(statesOf(await rig.view(id))).toEqual(['2 ACTIVE', '1 RETIRED'])
})

test.each([
  ['a self-signed key', false],
  ['another key file', true],
])('the key file of the settings replaces %s when the workers without it are gone', async (_name, isFile) => {
  const [before, next] = await Promise.all(['Before', 'Next'].map(newKey))
  if (isFile) {
    await rig.database.owner`delete from signing_keys`
    await registerKeyFile(rig.core, before!)
  }
  const own = (await listKeys(rig.core))[0]!
  const old = await keyWorker(rig.core, { name: 'old', ...(isFile && { file: before! }) })
  await old.sync()
  await registerKeyFile(rig.core, next!)
  await using restarted = await keyWorker(rig.core, { file: next!, name: 'restarted' })
  await restarted.sync()
  await old.sync()
  expect(await rig.sealing()).toBe(`${own.id} 1`)
  await old[Symbol.asyncDispose]()
  await advanceRotations(rig.core)
  expect(await rig.sealing()).toBe(`${own.id} 2`)
})

test('a key file whose certificate is marked as compromised is not announced again', async () => {
  const [compromised, next] = await Promise.all(['Compromised', 'Next'].map(newKey))
  const own = (await listKeys(rig.core))[0]!
  for (const file of [compromised!, next!]) {
    await registerKeyFile(rig.core, file)
    await using worker = await keyWorker(rig.core, { file })
    await worker.sync()
    if (file === compromised) await markCompromised(rig.core, own.id, new Date())
  }
  await expect(registerKeyFile(rig.core, compromised!)).rejects.toThrow('marked as compromised')
  expect(statesOf(await rig.view(own.id))).toEqual(['3 ACTIVE', '2 RETIRED', '1 RETIRED'])
})

const newKey = async (commonName: string) =>
  openedKey(await newSelfSignedKey({ commonName, organisation: 'Test', now: new Date() }))
