// Seals while their keys are rotated, compromised or gone: none fails, earlier ones stay valid, and what cannot be sealed waits and says why.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import { readPemCertificates } from '#core/pades/certificate.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { openLog } from '#core/platform/log.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import { announceVersion } from '#core/signing-key/announce-version.ts'
import { deleteManagedKey } from '#core/signing-key/delete-managed-key.ts'
import { importKey } from '#core/signing-key/import-key.ts'
import { listKeys } from '#core/signing-key/list-keys.ts'
import { markCompromised } from '#core/signing-key/mark-compromised.ts'
import { rotateKey } from '#core/signing-key/rotate-key.ts'
import { upsertManagedKey } from '#core/signing-key/upsert-managed-key.ts'
import { listJobs } from '#core/work/list-jobs.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { register } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { provideOwnKey } from '../../workers/seal/provide-own-key.ts'
import { startKeys } from '../../workers/seal/start-keys.ts'
import { startReports } from '../../workers/seal/start-reports.ts'
import { startSeal } from '../../workers/seal/start-seal.ts'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { aManagedKey, FENCE } from '../support/builders/key-rig.ts'
import { aSignedEnvelope, signAs } from '../support/builders/signed-envelope.ts'
import { keyWorker, p12File, TestSecrets } from '../support/builders/signing-keys.ts'
import { clientWithToken } from '../support/clients/api-client.ts'
import { sharedThreads } from '../support/servers/shared-threads.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let dataDir: string
const secrets = new TestSecrets()

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-keys-'))
})
beforeEach(async () => {
  service = await testService({ SEALWRIGHT_DATA_DIR: dataDir })
  await takeLeadership(service.system, { ...FENCE, holder: 'test' })
  secrets.set('good', { 'tls.p12': p12File('p256-aes'), password: 'secret' })
  return () => service[Symbol.asyncDispose]()
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

/** The seal role of one process, as `workers/roles.ts` composes it. */
async function aSealingProcess(folder = dataDir): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const { reports, sealing } = service
  const core = { ...service.system, settings: { ...service.system.settings, dataDir: folder } }
  const { opener } = sharedThreads()
  const file = await provideOwnKey(core, opener, new AbortController().signal)
  const keys = await startKeys(core, { opener, file, secrets })
  stack.use(keys.loop)
  const pool = { ...sealing, keys: keys.ring }
  stack.use(startSeal(core, inProcessNotifier(), pool, 4))
  stack.use(startReports(core, inProcessNotifier(), { reports, sealing: pool }))
  return stack.move()
}

async function sealedWith(envelopeId: string): Promise<string | undefined> {
  const [row] = await service.database.owner`select fingerprint from sealed_documents where envelope_id = ${envelopeId}`
  return row?.['fingerprint']
}

const activeVersion = async () => (await listKeys(service.system))[0]?.active?.version
const seals = () => service.database.owner`select state, attempts, failures, outages, last_error from seal_jobs`
const SEALED = { state: 'DONE', attempts: 1, failures: 0, outages: 0, lastError: null }

async function sign(): Promise<string> {
  const { id, tokens } = await aSentEnvelope(service.client)
  for (const { token } of tokens) await signAs(service, token)
  return id
}

test(
  'no seal fails while two processes rotate the key three times, and each key verifies its seals',
  { timeout: 180_000 },
  async () => {
    await using first = await aSealingProcess()
    await using second = await aSealingProcess()
    expect([first, second]).toHaveLength(2)
    const envelopes: string[] = [await sign()]
    for (let version = 2; version <= 4; version++) {
      const opened =
        version === 4
          ? await sharedThreads().opener.open({ kind: 'P12', bytes: p12File('rsa-aes'), password: 'secret' }, new Date())
          : undefined
      const rotated = opened?.ok ? importKey(service.system, { opened: opened.key }) : rotateKey(service.system, {})
      const signed = Promise.all([sign(), sign(), sign()])
      expect((await rotated).version).toBe(version)
      await expect.poll(activeVersion).toBe(version)
      envelopes.push(...(await signed), await sign())
    }
    await expect.poll(async () => (await seals()).every(({ state }) => state === 'DONE')).toBe(true)
    expect(await seals()).toEqual(envelopes.map(() => SEALED))
    const used = await Promise.all(envelopes.map(sealedWith))
    expect(new Set(used).size).toBe(4)
    await verifyAll(envelopes, used)
  },
)

/** With the roots of the trust file where the key was made here, else with the pinned certificate. */
async function verifyAll(envelopes: readonly string[], used: readonly (string | undefined)[]): Promise<void> {
  const roots = await trustedRoots(dataDir)
  expect(roots).toHaveLength(3)
  for (const [index, id] of envelopes.entries()) {
    const [row] = await service.database.owner`
      select storage_key, c.certificate, c.origin from sealed_documents s join seal_certificates c using (fingerprint) where envelope_id = ${id}`
    const file = await service.api.storage.read(String(row!['storageKey']))
    const trust = row!['origin'] === 'SELF_MADE' ? roots : [row!['certificate']]
    expect(verifyPdf(file, { trust }), used[index]).toMatchObject({ valid: true })
  }
}

async function trustedRoots(folder: string): Promise<Buffer[]> {
  return readPemCertificates(await readFile(path.join(folder, 'keys', 'signing-root.pem'), 'utf8'))
}

test('processes without a common data folder seal with one key, and one with a new folder goes on with it', async () => {
  await service.database.owner`delete from signing_keys`
  const folders = ['first', 'second', 'later'].map((name) => path.join(dataDir, name))
  const envelopes: string[] = []
  {
    const processes = await Promise.all(folders.slice(0, 2).map(aSealingProcess))
    envelopes.push(await sign(), await sign())
    await expect.poll(async () => (await seals()).every(({ state }) => state === 'DONE')).toBe(true)
    await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()))
  }
  await using later = await aSealingProcess(folders[2])
  expect(later).toBeDefined()
  envelopes.push(await sign())
  await expect.poll(async () => (await seals()).every(({ state }) => state === 'DONE')).toBe(true)
  expect(await seals()).toEqual(envelopes.map(() => SEALED))
  expect(new Set(await Promise.all(envelopes.map(sealedWith))).size).toBe(1)
  const [first, ...others] = await Promise.all(folders.map(trustedRoots))
  expect(first).toHaveLength(1)
  expect(others).toEqual([first, first])
})

test('faulty material changes nothing while documents are sealed', { timeout: 120_000 }, async () => {
  await using running = await aSealingProcess()
  expect(running).toBeDefined()
  const { system } = service
  const own = await sign()
  const key = await upsertManagedKey(system, FENCE, aManagedKey(), { allowSelfSigned: false })
  if (key.outcome !== 'applied') throw new Error(key.message)
  secrets.set('junk', { 'tls.p12': 'junk', password: 'secret' })
  const material = { kind: 'SECRET', namespace: 'keys', name: 'junk', key: 'tls.p12', passwordKey: 'password' } as const
  await announceVersion(system, FENCE, { keyId: key.id, material })
  const failure = async () => (await listKeys(system)).find(({ id }) => id === key.id)?.next?.failure?.reason
  await expect.poll(failure).toBe('NotPkcs12')
  expect(await sealedWith(await sign())).toBe(await sealedWith(own))
  await announceVersion(system, FENCE, { keyId: key.id, material: { ...material, name: 'good' } })
  await expect.poll(async () => (await listKeys(system)).find(({ id }) => id === key.id)?.active?.version).toBe(2)
  expect(await sealedWith(await sign())).not.toBe(await sealedWith(own))
  expect(await seals()).toEqual([SEALED, SEALED, SEALED])
})

test('documents wait when only a self-signed key is left, the job says why, and they are sealed with the next key', async () => {
  const { system, sealing } = service
  await using worker = await keyWorker(system, { secrets })
  const pool = { ...sealing, keys: worker }
  const object = aManagedKey()
  const key = await upsertManagedKey(system, FENCE, object, { allowSelfSigned: false })
  if (key.outcome !== 'applied') throw new Error(key.message)
  const material = { kind: 'SECRET', namespace: 'keys', name: 'good', key: 'tls.p12', passwordKey: 'password' } as const
  await announceVersion(system, FENCE, { keyId: key.id, material })
  await worker.sync()
  await deleteManagedKey(system, FENCE, object.uid)
  const { tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  const before = await waits()
  expect(await sealNextEnvelope(system, pool)).toBe(true)
  const [job] = await listJobs(system, SEAL_WORK, { stuck: false })
  expect(job).toMatchObject({
    state: 'failed, will retry',
    attempts: 1,
    lastError: expect.stringContaining('Only a self-signed key is left'),
  })
  expect(await seals()).toMatchObject([{ failures: 0, outages: 1 }])
  expect(await waits()).toBe(before + 1)
  const opened = await sharedThreads().opener.open({ kind: 'P12', bytes: p12File('rsa-aes'), password: 'secret' }, new Date())
  if (!opened.ok) throw new Error(opened.message)
  await importKey(system, { opened: opened.key })
  await worker.sync()
  await service.database.moveClock(20)
  expect(await sealNextEnvelope(system, pool)).toBe(true)
  expect(await seals()).toMatchObject([{ state: 'DONE' }])
})

async function waits(): Promise<number> {
  const { values } = await register.getSingleMetric('sealwright_seal_key_waits_total')!.get()
  return values.find(({ labels }) => labels['reason'] === 'LessTrust')?.value ?? 0
}

test('a version that was sealed with is loaded again on the spot, and a recorded seal needs no key', async () => {
  const { system, sealing } = service
  const { keyId, version } = await rotateKey(system, {})
  {
    await using worker = await keyWorker(system)
    await worker.sync()
  }
  await using fresh = await keyWorker(system)
  const { id, tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  // The seal is recorded, and its copy is not stored.
  const put = () => Promise.reject(new Error('The store is full.'))
  const failing = { ...system, storage: { ...system.storage, put }, log: openLog('silent') }
  await sealNextEnvelope(failing, { ...sealing, keys: fresh })
  const [own] = await listKeys(system)
  expect(await sealedWith(id)).toBe(own!.active!.certificate!.fingerprint)
  await markCompromised(system, keyId, new Date())
  expect(own!.active!.version).toBe(version)
  await service.database.moveClock(20)
  expect(await sealNextEnvelope(system, { ...sealing, keys: fresh })).toBe(true)
  expect(await seals()).toMatchObject([{ state: 'DONE' }])
})

test('seals from a compromise on are not valid, earlier ones are, and the next version seals again', async () => {
  const { system } = service
  const early = await aSignedEnvelope(service)
  const [{ between } = { between: new Date() }] = await service.database.owner<
    { between: Date }[]
  >`select clock_timestamp() as between`
  const late = await aSignedEnvelope(service)
  const [own] = await listKeys(system)
  await markCompromised(system, own!.id, between)
  expect(await verdict(early.id)).toMatchObject({ valid: true })
  expect(await verdict(late.id)).toMatchObject({ valid: false, message: expect.stringContaining('compromised') })
  const { tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  await service.sealEnvelopes()
  expect((await seals()).at(-1)).toMatchObject({ state: 'WAITING', lastError: expect.stringContaining('marked as compromised') })
  await using worker = await keyWorker(system)
  await rotateKey(system, {})
  await worker.sync()
  await service.database.moveClock(20)
  expect(await sealNextEnvelope(system, { ...service.sealing, keys: worker })).toBe(true)
  expect((await listKeys(system))[0]).toMatchObject({ compromisedSince: null, active: { version: 2 } })
  expect(await verdict(late.id)).toMatchObject({ valid: false })
  expect(await verdict(early.id)).toMatchObject({ valid: true })
})

async function verdict(envelopeId: string): Promise<unknown> {
  const [row] = await service.database.owner<{ id: string; sha256: Buffer }[]>`
    select g.id, d.sha256 from signatures g join signers s on s.id = g.signer_id join sealed_documents d on d.envelope_id = s.envelope_id
    where s.envelope_id = ${envelopeId}`
  const { body } = await clientWithToken(service.url).get(`/api/v1/verify?id=${row!.id}&h=${row!.sha256.toString('hex')}`)
  return body
}
