// `sealwright key`: the keys that seal, without Kubernetes.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { claimKey } from '#core/installation/check-key.ts'
import { listKeys, readKey } from '#core/signing-key/list-keys.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import { upsertManagedKey } from '#core/signing-key/upsert-managed-key.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aManagedKey, FENCE } from '../../support/builders/key-rig.ts'
import { activateKey } from '../../support/builders/signing-keys.ts'
import { runAsProcess, runInProcess } from '../../support/clients/command-line.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

const P12 = new URL('../../unit/core/pades/p12/', import.meta.url)

let service: TestService
let dataDir: string
let passwordFile: string

beforeAll(async () => {
  service = await testService()
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-cli-'))
  await writeFile(path.join(dataDir, 'database-url'), service.database.url)
  await mkdir(path.join(dataDir, 'keys'))
  await writeFile(path.join(dataDir, 'keys', 'installation.key'), service.installationKey.toString('base64'))
  await claimKey(service.system)
  passwordFile = path.join(dataDir, 'password')
  await writeFile(passwordFile, 'secret\n')
  for (const name of ['p256-aes', 'rsa-aes', 'weak', 'no-key'])
    await copyFile(new URL(`${name}.p12`, P12), path.join(dataDir, `${name}.p12`))
  await writeFile(path.join(dataDir, 'junk.p12'), 'junk')
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
})

const key = (...args: string[]) => runInProcess({ SEALWRIGHT_DATA_DIR: dataDir }, ['key', ...args])
const file = (name: string) => path.join(dataDir, `${name}.p12`)
const importing = (name: string, ...args: string[]) =>
  key('import', '--p12', file(name), '--password-file', passwordFile, '--json', ...args)
/** Everything that the keys are. */
const everything = () => service.database.owner`
  select k.id, k.state, k.compromised_since, v.version, v.state as version_state
  from signing_keys k join signing_key_versions v on v.key_id = k.id order by k.created_at, k.id, v.version`

// requirements: running/commands/key
test('list shows every key with its versions, as JSON and in words', async () => {
  const { code, stdout } = await runAsProcess({ SEALWRIGHT_DATA_DIR: dataDir }, ['key', 'list', '--json'])
  const [own] = await listKeys(service.system)
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    [
      {
        id: own!.id,
        orgId: null,
        origin: 'API',
        provider: 'INSTALLATION',
        state: 'ACTIVE',
        compromisedSince: null,
        activeVersion: 1,
        loadedBy: { loaded: 0, live: 0, missing: [] },
        object: null,
        versions: [
          expect.objectContaining({
            version: 1,
            state: 'ACTIVE',
            selfMade: true,
            certificate: expect.objectContaining({ subject: 'O=Test, CN=Test seal' }),
          }),
        ],
      },
    ],
  ])
  expect((await key('list')).stdout).toMatch(
    /ACTIVE {2}for the installation \(its own key\) {2}loaded by 0\/0 workers\n {2}version 1 {2}ACTIVE {2}self-signed {2}O=Test, CN=Test seal/,
  )
})

describe('import', () => {
  // requirements: running/commands/key
  test('announces a version, encrypted, that seals after workers have loaded it; the same file again changes nothing', async () => {
    const { code, stdout } = await importing('p256-aes')
    const { id, version } = JSON.parse(stdout)
    expect([code, version]).toEqual([0, 2])
    expect(await readKey(service.system, { id })).toMatchObject({
      active: { version: 1 },
      next: { version: 2, state: 'ANNOUNCED' },
    })
    expect(JSON.parse((await importing('p256-aes')).stdout)).toEqual({ id, version })
    await activateKey(service, { keyId: id, version })
    expect(JSON.parse((await importing('p256-aes')).stdout)).toEqual({ id, version })
    const inWords = await key('import', '--p12', file('p256-aes'), '--password-file', passwordFile)
    expect(inWords.stdout).toBe(`version 2 of the signing key ${id} has this key already; its state is ACTIVE\n`)
  })

  test('for an organisation makes a key of its own, and then its next version', async () => {
    const { organisation } = await service.anotherOrganisation()
    const first = JSON.parse((await importing('rsa-aes', '--org', organisation.orgId)).stdout)
    expect(await readKey(service.system, { id: first.id })).toMatchObject({
      orgId: organisation.orgId,
      origin: 'API',
      state: 'ACTIVE',
    })
    await activateKey(service, { keyId: first.id, version: 1 })
    expect(JSON.parse((await importing('p256-aes', '--org', organisation.orgId)).stdout)).toEqual({ id: first.id, version: 2 })
  })

  test.each([
    ['junk', 'junk', 'NotPkcs12'],
    ['a file without a private key', 'no-key', 'NoPrivateKey'],
    ['a weak key', 'weak', 'KeyTooWeak'],
  ])('refuses %s and changes nothing', async (_name, p12, reason) => {
    const before = await everything()
    const { code, stdout, stderr } = await importing(p12)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(new RegExp(`${p12}\\.p12: .+ \\(${reason}\\)\\n$`))
    expect(await everything()).toEqual(before)
  })

  test('refuses a wrong password and an expired certificate, and names the file; the password is not shown', async () => {
    const before = await everything()
    await writeFile(path.join(dataDir, 'wrong'), 'a-wrong-password')
    const wrong = await key('import', '--p12', file('p256-aes'), '--password-file', path.join(dataDir, 'wrong'))
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/p256-aes\.p12: .*password.* \(WrongPassword\)\n$/)])
    expect(wrong.stderr).not.toContain('a-wrong-password')
    await service.database.moveClock(200 * 365 * 86_400)
    expect((await importing('rsa-aes')).stderr).toContain('(Expired)')
    await service.database.moveClock(0)
    expect((await key('import', '--p12', 'missing.p12')).stderr).toMatch(/the file does not exist/)
    expect(await everything()).toEqual(before)
  })

  test('refuses an unknown organisation', async () => {
    const { code, stderr } = await importing('rsa-aes', '--org', '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00')
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no organisation')])
  })
})

describe('rotate', () => {
  // requirements: running/commands/key
  test('makes a new self-signed version, and names the import for a key that was not made here', async () => {
    await using own = await testService()
    await claimKey(own.system)
    const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-cli-'))
    await writeFile(path.join(folder, 'database-url'), own.database.url)
    const settings = { SEALWRIGHT_DATA_DIR: folder, SEALWRIGHT_INSTALLATION_KEY: own.installationKey.toString('base64') }
    const run = (...args: string[]) => runInProcess(settings, ['key', ...args])
    const { id, version } = JSON.parse((await run('rotate', '--json')).stdout)
    await activateKey(own, { keyId: id, version })
    const [rotated] = await listKeys(own.system)
    expect(rotated).toMatchObject({
      active: { version: 2, selfMade: true, certificate: { subject: 'O=Sealwright, CN=Sealwright self-signed seal' } },
    })
    const imported = JSON.parse((await run('import', '--p12', file('rsa-aes'), '--password-file', passwordFile, '--json')).stdout)
    await activateKey(own, { keyId: id, version: imported.version })
    const refused = await run('rotate', '--id', id)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('sealwright key import --p12 FILE')])
    await rm(folder, { recursive: true })
  })

  test('with another installation key than that of the database is refused', async () => {
    const settings = { SEALWRIGHT_DATA_DIR: dataDir, SEALWRIGHT_INSTALLATION_KEY: Buffer.alloc(32, 1).toString('base64') }
    const { code, stderr } = await runInProcess(settings, ['key', 'rotate'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('a different key')])
  })
})

describe('retire and compromised', () => {
  // requirements: running/commands/key
  test('retire ends an imported key, and not the one of the installation', async () => {
    const { organisation } = await service.anotherOrganisation()
    const { id } = JSON.parse((await importing('rsa-aes', '--org', organisation.orgId)).stdout)
    expect(JSON.parse((await key('retire', '--id', id, '--json')).stdout)).toEqual({ id, retired: true })
    expect(await readKey(service.system, { id })).toMatchObject({ state: 'RETIRED', versions: [{ state: 'RETIRED' }] })
    const own = (await listKeys(service.system)).find(({ providerType }) => providerType === 'INSTALLATION')!
    const refused = await key('retire', '--id', own.id)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('cannot be retired')])
  })

  test('compromised refuses a time in the future, and rotate a retired key', async () => {
    const { organisation } = await service.anotherOrganisation()
    const { id } = JSON.parse((await importing('rsa-aes', '--org', organisation.orgId)).stdout)
    const later = await key('compromised', '--id', id, '--since', '2999-01-01T00:00:00Z')
    expect([later.code, later.stderr]).toEqual([1, expect.stringMatching(/^2999-01-01T00:00:00\.000Z is in the future/)])
    expect((await key('list')).stdout).not.toContain('COMPROMISED since 2999')
    await key('retire', '--id', id)
    const rotated = await key('rotate', '--id', id)
    expect([rotated.code, rotated.stderr]).toEqual([1, expect.stringContaining('is retired, which is final')])
  })

  // requirements: running/commands/key
  test('compromised marks the certificates from the given time on', async () => {
    const { organisation } = await service.anotherOrganisation()
    const { id, version } = JSON.parse((await importing('rsa-aes', '--org', organisation.orgId)).stdout)
    await activateKey(service, { keyId: id, version })
    const since = '2026-01-31T12:00:00.000Z'
    const marked = await key('compromised', '--id', id, '--since', '2026-01-31T13:00:00+01:00', '--json')
    expect(JSON.parse(marked.stdout)).toEqual({ id, compromisedSince: since })
    const { fingerprint } = (await readKey(service.system, { id }))!.active!.certificate!
    const [row] = await service.database.owner`select compromised_from from seal_certificates where fingerprint = ${fingerprint}`
    expect(row!.compromisedFrom.toISOString()).toBe(since)
    expect((await key('list')).stdout).toContain(`COMPROMISED since ${since}`)
    const same = await key('import', '--p12', file('rsa-aes'), '--password-file', passwordFile)
    expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('is marked as compromised')])
    const next = JSON.parse((await importing('p256-aes', '--org', organisation.orgId)).stdout)
    await activateKey(service, { keyId: id, version: next.version })
    const again = await key('compromised', '--id', id, '--since', '2026-03-01T00:00:00Z')
    expect(again.stdout).toContain(`replaced: sealwright key import --p12 FILE --org ${organisation.orgId}\n`)
    const rows = await service.database.owner<{ at: Date }[]>`
      select compromised_from as at from signing_key_versions join seal_certificates using (fingerprint) where key_id = ${id} order by version`
    expect(rows.map(({ at }) => at.toISOString())).toEqual([since, '2026-03-01T00:00:00.000Z'])
  })

  test('an unknown key, a key of Kubernetes, and wrong usage are refused', async () => {
    const unknown = '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00'
    expect((await key('retire', '--id', unknown)).stderr).toContain('There is no such signing key')
    await takeLeadership(service.system, { ...FENCE, holder: 'test' })
    const object = aManagedKey({ name: 'from-kubernetes' })
    const made = await upsertManagedKey(service.system, FENCE, object, { allowSelfSigned: false })
    const id = made.outcome === 'applied' ? made.id : ''
    for (const args of [
      ['retire', '--id', id],
      ['rotate', '--id', id],
      ['compromised', '--id', id, '--since', '2026-01-31T12:00:00Z'],
    ]) {
      const { code, stderr } = await key(...args)
      expect([code, stderr]).toEqual([1, expect.stringContaining('The SigningKey keys/from-kubernetes decides about this key')])
    }
    for (const args of [
      ['retire'],
      ['retire', '--id', 'x'],
      ['compromised', '--id', unknown, '--since', 'yesterday'],
      ['import'],
    ])
      expect((await key(...args)).code, args.join(' ')).toBe(2)
  })
})
