// Signing keys from PKCS#12 files in Secrets, which workers read and the controller does not.
import { afterEach, expect, test } from 'vitest'
import { countOrphanedSigningKeys } from '#core/signing-key/delete-managed-key.ts'
import { retireKey } from '#core/signing-key/retire-key.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { p12File, pemEntries } from '../support/builders/signing-keys.ts'
import { keyWorld, pkcs12 } from '../support/servers/key-world.ts'
import { condition, rowsBehind } from '../support/servers/operator-world.ts'

const keys = await keyWorld({ SEALWRIGHT_MIRROR_SWEEP_INTERVAL: '2s' })
const { world, until } = keys
const operator = await keys.start()
await keys.worker('first')
await keys.putSecret('good', { 'tls.p12': p12File('p256-aes'), password: 'secret\n' })
await keys.putSecret('better', { 'tls.p12': p12File('rsa-aes'), password: 'secret' })

/** All of one test: each has the organisation to itself. */
const made: string[] = []
afterEach(async () => {
  for (const name of made.splice(0)) {
    if (await keys.object(name)) await keys.remove(name)
    await until(async () => expect(await keys.object(name)).toBeUndefined())
  }
})

async function create(name: string, spec: object = {}): Promise<string> {
  const { metadata } = await keys.create(name, { orgId: world.orgId, ...pkcs12('good'), ...spec })
  made.push(name)
  return metadata.uid ?? ''
}

/** The id of its row. */
async function ready(name: string, spec: object = {}): Promise<string> {
  const uid = await create(name, spec)
  await until(async () => expect(condition(await keys.object(name), 'Ready')).toBe('True Ready'))
  return (await keys.row({ uid }))?.id ?? ''
}

const messageOf = async (name: string, type: string) =>
  (await keys.object(name))?.status?.conditions?.find((each) => each.type === type)?.message

test('an object with a file becomes the key that seals', async () => {
  const id = await ready('seal')
  const object = await keys.object('seal')
  const row = await keys.row({ id })
  expect(object?.metadata.finalizers).toEqual(['sealwright.io/signing-key'])
  expect(object?.status).toMatchObject({
    keyId: id,
    rowVersion: row?.rowVersion,
    active: { version: 1, fingerprint: row?.active?.certificate?.fingerprint },
    loadedBy: '1/1',
  })
  expect(await keys.sealing()).toBe(`${id} 1`)
  await until(async () =>
    expect(await world.eventsOf('seal')).toEqual(expect.arrayContaining(['Accepted', 'KeyLoaded', 'KeyActivated'])),
  )
})

test('PEM as cert-manager writes it is read too', async () => {
  const pem = pemEntries(await newSelfSignedKey({ commonName: 'Seal', organisation: 'Test', now: new Date() }))
  await keys.putSecret('pem', pem)
  const id = await ready('pem-seal', pkcs12('pem', 'tls.key'))
  expect(await keys.sealing()).toBe(`${id} 1`)
})

const DAY_MS = 86_400_000
const dated = async (days: number) =>
  pemEntries(await newSelfSignedKey({ commonName: 'Seal', organisation: 'Test', now: new Date(Date.now() + days * DAY_MS) }))
const password = 'secret'
interface Fault {
  entries?: Record<string, Buffer | string>
  labels?: Record<string, string>
  key?: string
  type?: 'MaterialAvailable' | 'CertificateValid'
  reason: string
  message: RegExp
}
const unlabelled =
  /^Version \d+: There is no Secret \S+ with the label sealwright\.io\/signing-key: "true", and no other is read\. An owner of the Secret sets it: kubectl -n \S+ label secret \S+ sealwright\.io\/signing-key=true\./
const faults: [string, Fault][] = [
  ['a Secret that does not exist', { reason: 'SecretMissing', message: unlabelled }],
  [
    'a Secret without the label',
    { entries: { 'tls.p12': p12File('rsa-aes'), password }, labels: {}, reason: 'SecretMissing', message: unlabelled },
  ],
  [
    'a Secret without the label, as PEM',
    { entries: await dated(0), labels: {}, key: 'tls.key', reason: 'SecretMissing', message: unlabelled },
  ],
  ['a Secret without the entry', { entries: { password }, reason: 'SecretMissing', message: /has no entry tls\.p12/ }],
  [
    'a Secret without a password',
    { entries: { 'tls.p12': p12File('rsa-aes') }, reason: 'SecretMissing', message: /no entry password/ },
  ],
  [
    'a file with another password',
    { entries: { 'tls.p12': p12File('rsa-aes'), password: 'no' }, reason: 'WrongPassword', message: /password/i },
  ],
  ['a junk file', { entries: { 'tls.p12': 'junk', password }, reason: 'NotPkcs12', message: /not a readable P12 file/ }],
  ['a file without a key', { entries: { 'tls.p12': p12File('no-key'), password }, reason: 'NoPrivateKey', message: /key/ }],
  [
    'a file without a certificate',
    { entries: { 'tls.p12': p12File('no-certificate'), password }, reason: 'NoPrivateKey', message: /certificate/ },
  ],
  ['a weak key', { entries: { 'tls.p12': p12File('weak'), password }, reason: 'KeyTooWeak', message: /2048/ }],
  [
    'a key of another kind',
    { entries: { 'tls.p12': p12File('ed25519'), password }, reason: 'KeyTooWeak', message: /not supported/ },
  ],
  [
    'an expired certificate',
    { entries: await dated(-4 * 365), key: 'tls.key', type: 'CertificateValid', reason: 'Expired', message: /expired at/ },
  ],
  [
    'a certificate of tomorrow',
    { entries: await dated(1), key: 'tls.key', type: 'CertificateValid', reason: 'NotYetValid', message: /not valid before/ },
  ],
]

test(`a change to ${faults.map(([name]) => name).join(', ')}: says so and changes nothing`, async () => {
  const id = await ready('faulty')
  for (const [index, [name, { entries, labels, key, type = 'MaterialAvailable', reason, message }]] of faults.entries()) {
    const secret = `fault-${index}`
    if (entries) await keys.putSecret(secret, entries, labels)
    await keys.patch('faulty', { spec: pkcs12(secret, key ?? 'tls.p12') })
    await until(async () => {
      expect(await messageOf('faulty', type), name).toContain(`Version ${index + 2}: `)
      expect(condition(await keys.object('faulty'), type), name).toBe(`False ${reason}`)
      expect(await messageOf('faulty', type), name).toMatch(message)
    })
    expect(await messageOf('faulty', type), name).toMatch(/Version 1 stays in use\.$/)
    expect((await keys.object('faulty'))?.status, name).toMatchObject({ active: { version: 1 }, next: { version: index + 2 } })
    expect(condition(await keys.object('faulty'), 'Ready'), name).toBe(`False ${reason}`)
    expect(await keys.sealing(), name).toBe(`${id} 1`)
  }
  await keys.patch('faulty', { spec: pkcs12('better', 'tls.p12') })
  await until(async () => expect(condition(await keys.object('faulty'), 'Ready')).toBe('True Ready'))
  expect(await keys.sealing()).toBe(`${id} ${faults.length + 2}`)
  await until(async () => expect(await world.eventsOf('faulty')).toContain('Refused'))
})

test('a rotation waits for every worker, names who is missing, and ends without it after a minute', async () => {
  const id = await ready('rotated')
  await using slow = await keys.idleWorker('slow')
  await keys.patch('rotated', { spec: { ...pkcs12('better'), rotation: { request: 'r1' } } })
  await until(async () => expect(condition(await keys.object('rotated'), 'RotationInProgress')).toBe('True GracePeriod'))
  await until(async () => expect(await messageOf('rotated', 'Loaded')).toBe('Version 2 is not loaded by: slow.'))
  expect(await keys.sealing()).toBe(`${id} 1`)
  await slow.sync()
  await until(async () => {
    expect((await keys.object('rotated'))?.status).toMatchObject({
      handledRequest: 'r1',
      loadedBy: '2/2',
      active: { version: 2 },
    })
    expect(condition(await keys.object('rotated'), 'Ready')).toBe('True Ready')
  })
  expect(await keys.sealing()).toBe(`${id} 2`)

  await keys.patch('rotated', { spec: { rotation: { request: 'r2' } } })
  await until(async () => expect((await keys.object('rotated'))?.status?.next?.version).toBe(3))
  await world.database.moveClock(61)
  await until(async () => {
    await slow.heartbeat()
    expect((await keys.object('rotated'))?.status).toMatchObject({ handledRequest: 'r2', active: { version: 3 } })
    expect(await messageOf('rotated', 'Loaded')).toBe('Version 3 is not loaded by: slow.')
  })
  await world.database.moveClock(0)
  await until(async () =>
    expect(await world.eventsOf('rotated')).toEqual(
      expect.arrayContaining(['RotationStarted', 'RotationFinished', 'KeyRetired']),
    ),
  )
})

test('of two active keys the older one stays, and the other takes over when it goes', async () => {
  const older = await ready('older')
  const uid = await create('younger', pkcs12('better'))
  await until(async () => expect(condition(await keys.object('younger'), 'Accepted')).toBe('False AnotherKeyActive'))
  expect(await messageOf('younger', 'Accepted')).toContain(`${world.namespace}/older`)
  await until(async () => expect((await keys.object('younger'))?.status?.active?.version).toBe(1))
  expect(await keys.sealing()).toBe(`${older} 1`)
  await keys.patch('older', { spec: { state: 'Standby' } })
  await until(async () => expect(condition(await keys.object('younger'), 'Ready')).toBe('True Ready'))
  expect(await keys.sealing()).toBe(`${(await keys.row({ uid }))?.id} 1`)
  expect(condition(await keys.object('older'), 'Ready')).toBe('True Ready')
})

test('a compromised key makes no more seals until it is replaced by another', async () => {
  const id = await ready('leaked')
  await keys.patch('leaked', { spec: { compromisedSince: '2026-01-15T08:00:00Z' } })
  await until(async () => expect(condition(await keys.object('leaked'), 'Ready')).toBe('False Compromised'))
  expect(await keys.sealing()).toBe('Compromised')
  expect((await keys.row({ id }))?.compromisedSince).toEqual(new Date('2026-01-15T08:00:00Z'))
})

test('retired is final', async () => {
  const id = await ready('ending')
  await keys.patch('ending', { spec: { state: 'Retired' } })
  await until(async () => expect((await keys.object('ending'))?.status?.active).toBeUndefined())
  expect(condition(await keys.object('ending'), 'Ready')).toBe('True Ready')
  expect((await keys.row({ id }))?.state).toBe('RETIRED')
  await expect(keys.patch('ending', { spec: { state: 'Active' } })).rejects.toMatchObject({ status: 422 })
  await until(async () => expect(await world.eventsOf('ending')).toContain('KeyRetired'))
})

test.each([
  ['unknown-org', { orgId: '00000000-0000-4000-8000-000000000001' }, 'OrganisationUnknown'],
  ['self-signed', { provider: { type: 'SelfSigned', selfSigned: {} } }, 'SelfSignedNotAllowed'],
])('an object that the product does not accept says so: %s', async (name, spec, reason) => {
  const uid = await create(name, spec)
  await until(async () => expect(condition(await keys.object(name), 'Accepted')).toBe(`False ${reason}`))
  expect(await keys.row({ uid })).toBeUndefined()
  await until(async () => expect(await world.eventsOf(name)).toContain('Refused'))
})

test('a deletion retires the key, and leaves the Secret of the user', async () => {
  const id = await ready('leaving')
  await keys.remove('leaving')
  await until(async () => expect(await keys.object('leaving')).toBeUndefined())
  expect(await keys.row({ id })).toMatchObject({ state: 'RETIRED', object: null })
  expect(await keys.secretNames()).toContain('good')
})

test('an object that vanished leaves a key that goes on sealing, until a new one can', async () => {
  const id = await ready('vanishing')
  // As after the restore of an etcd: no controller sees a deletion.
  await operator[Symbol.asyncDispose]()
  await keys.patch('vanishing', { metadata: { finalizers: [] } })
  await keys.remove('vanishing')
  await keys.start()
  await until(async () => expect((await keys.row({ id }))?.orphanedAt).toBeInstanceOf(Date))
  expect(await keys.sealing()).toBe(`${id} 1`)
  const next = await ready('vanishing', pkcs12('better'))
  expect(await keys.sealing()).toBe(`${next} 1`)
})

test('a key that the database lost is not replaced until a human decides', async () => {
  const id = await ready('lost')
  await world.database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`delete from signing_key_materials where key_id = ${id}`
    await sql`delete from signing_key_versions where key_id = ${id}`
    await sql`delete from signing_keys where id = ${id}`
  })
  await until(async () => expect(condition(await keys.object('lost'), 'Synced')).toBe('False StoreRolledBack'))
  expect(await rowsBehind(keys.world)).toEqual([`SigningKey ${keys.world.namespace}/lost`])
  expect((await keys.object('lost'))?.status?.active?.version).toBe(1)
  await keys.patch('lost', { metadata: { annotations: { 'sealwright.io/resolve': 'from-object' } } })
  await until(async () => {
    const object = await keys.object('lost')
    expect(condition(object, 'Ready')).toBe('True Ready')
    expect(object?.metadata.annotations?.['sealwright.io/resolve']).toBeUndefined()
  })
})

test('orphans are listed for people, and retired by them', async () => {
  const orphans = async () => JSON.parse((await world.statusMap())?.['orphans'] ?? '[]') as { id: string; name: string }[]
  await until(async () => expect(await orphans()).toMatchObject([{ name: 'vanishing' }]))
  expect(await countOrphanedSigningKeys(world.core)).toBe(1)
  for (const { id } of await orphans()) await retireKey(world.core, id)
  expect(await countOrphanedSigningKeys(world.core)).toBe(0)
})
