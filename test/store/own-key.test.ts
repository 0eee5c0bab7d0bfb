// The installation's own key: made once for all workers, taken over from the file of an earlier release, and never replaced by another one.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { readPemKey, signingKeyFingerprint } from '#core/pades/signing-key.ts'
import { chooseVersion } from '#core/signing-key/choose-version.ts'
import { importKey } from '#core/signing-key/import-key.ts'
import { listKeys } from '#core/signing-key/list-keys.ts'
import { describeOwnKey } from '#core/signing-key/loading/describe-own-key.ts'
import { prepareSelfSignedKey } from '#core/signing-key/prepare-self-signed-key.ts'
import { registerKeyFile } from '#core/signing-key/register-key-file.ts'
import { rotateKey } from '#core/signing-key/rotate-key.ts'
import { storeSelfSignedKey } from '#core/signing-key/store-self-signed-key.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type KeyRig, keyRig, OWN_KEY, statesOf } from '../support/builders/key-rig.ts'
import { keyWorker, openedKey } from '../support/builders/signing-keys.ts'
import { untilWaiting } from '../support/invariants/races/arrange.ts'
import { sharedThreads } from '../support/servers/shared-threads.ts'

const OTHER_KEY = openedKey(await newSelfSignedKey({ commonName: 'Another seal', organisation: 'Test', now: new Date() }))

let rig: KeyRig
let folder: string

beforeAll(async () => {
  rig = await keyRig()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-own-key-'))
})
beforeEach(async () => {
  await rig.reset()
  await rig.database.owner`delete from signing_keys`
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** A data folder, with the key file of an earlier release where `pem` is given. */
async function dataFolder(pem?: string): Promise<string> {
  const dataDir = await mkdtemp(path.join(folder, 'data-'))
  if (pem === undefined) return dataDir
  await mkdir(path.join(dataDir, 'keys'))
  await writeFile(path.join(dataDir, 'keys', 'signing-key.pem'), pem)
  return dataDir
}

const prepare = (dataDir: string) =>
  prepareSelfSignedKey({ ...rig.core, settings: { ...rig.core.settings, dataDir } }, sharedThreads().opener, new Date())

/** What a worker without a key file in its settings does when it starts. */
async function startWith(dataDir: string): Promise<void> {
  const prepared = await prepare(dataDir)
  if (prepared) await storeSelfSignedKey(rig.core, prepared)
}

/** As an earlier release recorded its self-signed key. */
async function recordEarlier(): Promise<void> {
  await registerKeyFile(rig.core, OWN_KEY)
  await rig.database.owner`update signing_key_versions set self_made = true`
}

/** Version, state, place of the private key, and whose it is, of every version. */
async function versions(): Promise<string[]> {
  const rows = await rig.database.owner<
    { keyId: string; version: number; state: string; fingerprint: string; kind: string; box: Buffer | null }[]
  >`select v.*, m.kind, m.box from signing_key_versions v join signing_key_materials m using (key_id, version) order by version`
  return rows.map(({ keyId, version, state, fingerprint, kind, box }) => {
    if (box) {
      const pem = rig.core.keys.open(box, `signing key ${keyId} version ${version}`)
      expect(signingKeyFingerprint(readPemKey(pem))).toBe(fingerprint)
    }
    return `${version} ${state} ${kind} ${ownerOf(fingerprint)}`
  })
}

function ownerOf(fingerprint: string): string {
  if (fingerprint === OWN_KEY.certificate.fingerprint) return 'own'
  return fingerprint === OTHER_KEY.certificate.fingerprint ? 'other' : 'new'
}

const importOther = () => importKey(rig.core, { opened: OTHER_KEY })

/** The key's first version, and an imported one that seals. */
async function recordImported(): Promise<void> {
  await storeSelfSignedKey(rig.core, { key: OWN_KEY })
  await importOther()
  await using worker = await keyWorker(rig.core)
  await worker.sync()
}

type Start = [name: string, before: () => Promise<unknown>, file: string | undefined, after: string[]]
const STARTS: Start[] = [
  ['without any key makes one', async () => {}, undefined, ['1 ACTIVE BOX new']],
  ['with a file and no recorded key stores that key', async () => {}, OWN_KEY.pem, ['1 ACTIVE BOX own']],
  ['with the recorded file stores its key in the same version', recordEarlier, OWN_KEY.pem, ['1 ACTIVE BOX own']],
  ['with another file than the recorded one changes nothing', recordEarlier, OTHER_KEY.pem, ['1 ACTIVE FILE own']],
  ['without the recorded file makes no other key', recordEarlier, undefined, ['1 ACTIVE FILE own']],
  [
    'with a file does not replace a stored key',
    () => storeSelfSignedKey(rig.core, { key: OWN_KEY }),
    OTHER_KEY.pem,
    ['1 ACTIVE BOX own'],
  ],
  [
    'without the key file of the settings makes no self-signed key',
    () => registerKeyFile(rig.core, OWN_KEY),
    undefined,
    ['1 ACTIVE FILE own'],
  ],
  [
    'takes the file over also while the next version is announced',
    async () => {
      await recordEarlier()
      await importOther()
    },
    OWN_KEY.pem,
    ['1 ACTIVE BOX own', '2 ANNOUNCED BOX other'],
  ],
  ['without a file keeps an imported key', recordImported, undefined, ['1 RETIRED BOX own', '2 ACTIVE BOX other']],
]

test.each(STARTS)('a worker that starts %s', async (_name, before, file, after) => {
  await before()
  const dataDir = await dataFolder(file)
  await startWith(dataDir)
  expect(await versions()).toEqual(after)
  const stored = await versions()
  await startWith(dataDir)
  await startWith(await dataFolder())
  expect(await versions()).toEqual(stored)
})

test('workers that start at the same time make one key, and each can seal with it', async () => {
  const { owner } = rig.database
  const starting = await Promise.all(Array.from({ length: 4 }, async () => startPrepared(await dataFolder())))
  const running: Promise<void>[] = []
  await owner.begin(async (sql) => {
    await sql`lock table signing_keys in share row exclusive mode`
    running.push(...starting.map((start) => start()))
    await untilWaiting(owner, () => starting.length)
  })
  await Promise.all(running)
  expect(await versions()).toEqual(['1 ACTIVE BOX new'])
  for (const name of ['first', 'second']) {
    await using worker = await keyWorker(rig.core, { name })
    using held = await worker.acquire(await chooseVersion(rig.core, rig.orgId))
    expect(signingKeyFingerprint(readPemKey(held.pem))).toBe((await listKeys(rig.core))[0]!.active!.certificate!.fingerprint)
  }
})

const startLine = () => describeOwnKey(rig.core, { places: { keys: rig.core.keys }, opener: sharedThreads().opener })

/** A worker that has made its key and not stored it yet. */
async function startPrepared(dataDir: string): Promise<() => Promise<void>> {
  const prepared = await prepare(dataDir)
  if (!prepared) throw new Error('There is a key already.')
  return () => storeSelfSignedKey(rig.core, prepared)
}

test.each([
  ['junk', 'junk'],
  ['a private key without its certificate', OWN_KEY.pem.slice(0, OWN_KEY.pem.indexOf('-----BEGIN CERT'))],
  ['a certificate without its private key', OWN_KEY.pem.slice(OWN_KEY.pem.indexOf('-----BEGIN CERT'))],
])('a file with %s is refused with its name, and no other key is made', async (_name, pem) => {
  const dataDir = await dataFolder(pem)
  await expect(startWith(dataDir)).rejects.toThrow(
    /keys\/signing-key\.pem: .*\. Restore this file from a backup, or remove it\.$/,
  )
  expect(await listKeys(rig.core)).toEqual([])
})

describe('an active version that cannot be loaded', () => {
  const ALTERED = /altered in the database.* run: sealwright key rotate$/
  const alter = (change: () => Promise<unknown>) => async () => {
    await storeSelfSignedKey(rig.core, { key: OWN_KEY })
    await change()
  }
  const boxOf = (pem: string, context?: string) => async () => {
    const [own] = await listKeys(rig.core)
    const box = rig.core.keys.seal(pem, context ?? `signing key ${own!.id} version 1`)
    await rig.database.owner`update signing_key_materials set box = ${box}`
  }

  const CASES: [string, () => Promise<unknown>, reason: string, message: RegExp][] = [
    [
      'an altered box',
      alter(() => rig.database.owner`update signing_key_materials set box = set_byte(box, 40, get_byte(box, 40) # 1)`),
      'MaterialChanged',
      ALTERED,
    ],
    ['a box of another version', alter(boxOf(OWN_KEY.pem, 'signing key of another version')), 'MaterialChanged', ALTERED],
    ["a box with another key than the certificate's", alter(boxOf(OTHER_KEY.pem)), 'MaterialChanged', ALTERED],
    [
      'another recorded certificate',
      alter(() => rig.database.owner`update signing_key_versions set fingerprint = ${OTHER_KEY.certificate.fingerprint}`),
      'MaterialChanged',
      ALTERED,
    ],
    [
      'a self-signed key whose file is elsewhere',
      recordEarlier,
      'Unavailable',
      /keys\/signing-key\.pem in the data folder of another worker.* run: sealwright key rotate$/,
    ],
  ]

  test.each(CASES)(
    '%s is shown with what to do, is not replaced, and does not prevent a rotation',
    async (_name, before, reason, message) => {
      await before()
      const stored = await rawVersions()
      await startWith(await dataFolder())
      await using worker = await keyWorker(rig.core)
      await worker.sync()
      const [own] = await listKeys(rig.core)
      expect([statesOf(own!), own!.loadedBy.loaded]).toEqual([['1 ACTIVE'], 0])
      expect(own!.active!.failure).toEqual({ reason, message: expect.stringMatching(message) })
      expect(await startLine()).toEqual({ line: expect.stringMatching(message), isUsable: false })
      const choice = await chooseVersion(rig.core, rig.orgId)
      await expect(worker.acquire(choice)).rejects.toThrow(message)
      expect(await rawVersions()).toEqual(stored)
      await rotateKey(rig.core, {})
      await worker.sync()
      using held = await worker.acquire(await chooseVersion(rig.core, rig.orgId))
      expect(held.fingerprint).toBe((await listKeys(rig.core))[0]!.active!.certificate!.fingerprint)
      expect(statesOf((await listKeys(rig.core))[0]!)).toEqual(['2 ACTIVE', '1 RETIRED'])
      expect(await startLine()).toEqual({ line: expect.stringMatching(/^signing key: SELF-SIGNED/), isUsable: true })
    },
  )

  test.each([
    ['in the key file', () => registerKeyFile(rig.core, OTHER_KEY)],
    [
      'altered',
      async () => {
        await recordImported()
        await rig.database
          .owner`update signing_key_materials set box = set_byte(box, 40, get_byte(box, 40) # 1) where version = 2`
      },
    ],
  ])('the same key is imported again where it is %s', async (_name, before) => {
    await before()
    await using worker = await keyWorker(rig.core)
    await worker.sync()
    const { version } = await importOther()
    await worker.sync()
    expect((await listKeys(rig.core))[0]!.active).toMatchObject({ version, failure: null, material: { kind: 'BOX' } })
    expect(await importOther()).toMatchObject({ version, stateBefore: 'ACTIVE' })
    using held = await worker.acquire(await chooseVersion(rig.core, rig.orgId))
    expect(held.fingerprint).toBe(OTHER_KEY.certificate.fingerprint)
  })

  const rawVersions = () => rig.database.owner`
    select v.version, v.state, v.fingerprint, m.kind, m.box from signing_key_versions v join signing_key_materials m using (key_id, version)`

  test.each([
    [null, /^SEALWRIGHT_SIGNING_KEY_P12_FILE is not set for this worker.* run: sealwright key import --p12 FILE$/],
    [OTHER_KEY, /has another key\. Set the same file for every seal worker/],
  ])('the key file of the settings is not there, or another one', async (file, message) => {
    await registerKeyFile(rig.core, OWN_KEY)
    await using worker = await keyWorker(rig.core, file ? { file } : {})
    await worker.sync()
    expect((await listKeys(rig.core))[0]!.active!.failure).toEqual({
      reason: 'Unavailable',
      message: expect.stringMatching(message),
    })
  })
})
