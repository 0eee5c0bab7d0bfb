// The installation key is replaced while the service holds what the old one made: everything stays readable at every moment, and afterwards without it.
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { randomBytes, randomUUID } from 'node:crypto'
import { extendLedgers } from '#core/audit/extend-ledger.ts'
import { auditStatement } from '#core/audit/rules.ts'
import { verifyAudit } from '#core/audit/verify-audit.ts'
import { SignatureId } from '#core/ids.ts'
import { checkKey, claimKey } from '#core/installation/check-key.ts'
import { claimStore } from '#core/installation/claim-store.ts'
import { followKey } from '#core/installation/follow-key.ts'
import { RENEWED_COLUMNS } from '#core/key-rotation/renewed-columns.ts'
import { rotateInstallationKey } from '#core/key-rotation/rotate-installation-key.ts'
import { scanColumn } from '#core/key-rotation/store.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { deriveKeySet } from '#core/platform/crypto/key-set.ts'
import { inSnapshot } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADA, aSentEnvelope } from '../support/builders/envelopes.ts'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { aWebhook } from '../support/builders/webhooks.ts'
import { setUpFactor } from '../support/clients/authenticator.ts'
import { runInProcess } from '../support/clients/command-line.ts'
import { signedIn } from '../support/clients/panel-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const [OLD, NEW, THIRD] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const PAIR = { current: deriveKeySet(NEW), previous: deriveKeySet(OLD) }
const atOnce = async () => {}

let service: TestService
/** Printed in a seal before the rotation. */
let printed: { id: SignatureId; code: string }
const idempotencyKey = randomUUID()
let answered: string

beforeAll(async () => {
  // As a process that starts with both keys before the rotation.
  service = await testService({}, async ({ system: database }) => {
    await claimKey({ database, keys: deriveInstallationKeys(OLD) })
    const keys = deriveInstallationKeys(NEW, OLD)
    await checkKey({ database, keys })
    return keys
  })
  await claimStore(service.system)
  await aWebhook(service.system, service.organisation.orgId)
  await setUpFactor(await signedIn(service))
  const { id: envelopeId } = await aSignedEnvelope(service)
  const [signature] = await service.database.owner`select id from signatures where envelope_id = ${envelopeId}`
  const id = SignatureId.parse(signature?.id)
  printed = { id, code: deriveInstallationKeys(OLD).verificationCode(id) }
  await aSentEnvelope(service.client)
  answered = (await sendOnce()).body.id
  await extendLedgers(service.system)
})
afterAll(() => service[Symbol.asyncDispose]())

const owner = () => ({ database: service.database.owner })
const withKeys = (secret: Buffer, previous?: Buffer) => {
  const keys = deriveInstallationKeys(secret, previous)
  return { database: service.database.system, keys }
}

/** A request whose response is stored encrypted. */
async function sendOnce() {
  const headers = { 'Idempotency-Key': idempotencyKey, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ title: 'Once', signers: [ADA] })
  return await service.client.send('POST', '/api/v1/envelopes', { headers, body })
}

/** How many values of each column a key has made. */
async function madeWith(secret: Buffer): Promise<Record<string, string>> {
  const pair = { current: deriveKeySet(secret), previous: undefined }
  const shares: Record<string, string> = {}
  for (const column of RENEWED_COLUMNS) {
    let [made, all] = [0, 0]
    await inSnapshot(service.database.owner, async (sql) => {
      for await (const rows of scanColumn(sql, column))
        for (const { ids, value } of rows) {
          all++
          try {
            if (column.renew(pair, ids, value) === undefined) made++
          } catch {
            // Made with another key.
          }
        }
    })
    if (all > 0) shares[`${column.table}.${column.column}`] = made === all ? 'all' : made === 0 ? 'none' : 'some'
  }
  return shares
}

async function expectUnharmed(core: ReturnType<typeof withKeys>): Promise<void> {
  await checkKey(core)
  expect((await verifyAudit(core, undefined)).badRows).toEqual([])
  expect(core.keys.isVerificationCode(printed.code, printed.id)).toBe(true)
  expect(core.keys.isVerificationCode(core.keys.verificationCode(printed.id), printed.id)).toBe(true)
  expect(await claimStore({ ...core, storage: service.system.storage })).toBe('ours')
  for (const column of RENEWED_COLUMNS.filter(({ column: name }) => name.endsWith('box')))
    await inSnapshot(service.database.owner, async (sql) => {
      // Opened as the service does, with the keys that it has.
      const pair = { current: { ...PAIR.current, open: core.keys.open }, previous: undefined }
      for await (const rows of scanColumn(sql, column))
        for (const { ids, value } of rows) expect(column.renew(pair, ids, value)).toBeUndefined()
    })
}

test('the list of what is renewed has every column of the schema that a key makes', async () => {
  const columns = await service.database.owner<{ name: string }[]>`
    select table_name || '.' || column_name as name
    from information_schema.columns
    where table_schema = 'public' and (column_name ~ 'box$' or column_name = 'mac')`
  // Rows of the audit trail never change: what is kept of a retired key verifies them.
  const kept = ['audit_events.mac', 'audit_ledger.mac']
  expect(columns.map(({ name }) => name).toSorted()).toEqual(
    [...RENEWED_COLUMNS.map(({ table, column }) => `${table}.${column}`), ...kept].toSorted(),
  )
})

test('a rotation that is cut off after any batch leaves everything readable, and the next one goes on', async () => {
  const before = await madeWith(OLD)
  expect(new Set(Object.values(before))).toEqual(new Set(['all']))
  expect(Object.keys(before).length).toBeGreaterThan(6)
  await expectUnharmed(withKeys(OLD))

  let cuts = 0
  for (;;) {
    const cut = new Error('cut off')
    const rotation = rotateInstallationKey(owner(), PAIR, atOnce, () => {
      throw cut
    })
    const ended = await rotation.catch((error: unknown) => error)
    await expectUnharmed(withKeys(NEW, OLD))
    if (ended !== cut) break
    cuts++
  }
  expect(cuts).toBe(Object.keys(before).length)
  expect(new Set(Object.values(await madeWith(NEW)))).toEqual(new Set(['all']))
  expect(await rotateInstallationKey(owner(), PAIR, atOnce)).toEqual({ switched: false, renewed: 0, unreadable: [] })
})

test('afterwards the new key alone is enough, and the old one is refused', async () => {
  await expectUnharmed(withKeys(NEW))
  await expect(checkKey(withKeys(OLD))).rejects.toThrow('the database was set up with a different key')
  await expect(checkKey(withKeys(THIRD, OLD))).rejects.toThrow('the database was set up with a different key')
})

test('a process that runs follows within seconds; one without the new key says so', async () => {
  const { keys, database } = service.system
  expect(keys.proof).toEqual(PAIR.previous.proof)
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const log = { warn: vi.fn(), info: vi.fn(), error: vi.fn(), debug: vi.fn() }
  using follows = followKey({ keys, database, log: service.system.log })
  using lacks = followKey({ ...withKeys(OLD), log })
  expect([follows, lacks]).toHaveLength(2)
  vi.advanceTimersByTime(5_000)
  vi.useRealTimers()
  await expect.poll(() => keys.proof).toEqual(PAIR.current.proof)
  await expect.poll(() => log.warn.mock.calls.length).toBe(1)
  expect(log.warn.mock.calls[0]?.[1]).toBe('installation_key.replaced')

  // The service goes on: a repeated request gets the answer from before the rotation, and a new envelope is completed.
  expect((await sendOnce()).body.id).toBe(answered)
  await aSignedEnvelope(service)
  await extendLedgers(service.system)
  await expectUnharmed(withKeys(NEW))
})

test('the old key makes no head of the audit trail any more: rows that it forges are found', async () => {
  await service.database.owner.begin(async (sql) => {
    const [head] = await sql<{ orgId: string; envelopeId: string; seq: number; hash: Buffer }[]>`
      select org_id, envelope_id, seq, hash from audit_heads order by envelope_id limit 1`
    const mac = PAIR.previous.auditMac(auditStatement('head', head!, head!.hash))
    await sql`update audit_heads set mac = ${mac} where envelope_id = ${head!.envelopeId}`
  })
  const core = withKeys(NEW)
  await checkKey(core)
  expect((await verifyAudit(core, undefined)).badRows).toHaveLength(1)
  // It is left as it is by the next rotation too, which says so.
  const wrong = { current: PAIR.current, previous: deriveKeySet(THIRD) }
  expect((await rotateInstallationKey(owner(), wrong, atOnce)).unreadable).toEqual([{ table: 'audit_heads', count: 1 }])
  expect(await rotateInstallationKey(owner(), PAIR, atOnce)).toMatchObject({ renewed: 1, unreadable: [] })
})

test('the command rotates once more as the owner of the tables, and says what is wrong with the keys', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'sealwright-owner-'))
  const ownerUrl = path.join(folder.path, 'url')
  await writeFile(ownerUrl, `${service.database.url}\n`)
  const run = (secret: Buffer, previous?: Buffer, ...options: string[]) =>
    runInProcess(
      {
        SEALWRIGHT_DATABASE_URL: service.database.systemUrl,
        SEALWRIGHT_INSTALLATION_KEY: secret.toString('base64'),
        ...(previous && { SEALWRIGHT_PREVIOUS_INSTALLATION_KEY: previous.toString('base64') }),
      },
      ['installation-key', 'rotate', '--json', ...options],
    )
  const asOwner = ['--database-url-file', ownerUrl]
  expect((await run(THIRD, NEW)).stderr).toMatch(/^Only the owner of the tables can replace the installation key/)
  expect(await run(THIRD, undefined, ...asOwner)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^SEALWRIGHT_PREVIOUS_INSTALLATION_KEY is not set/),
  })
  expect((await run(THIRD, OLD, ...asOwner)).stderr).toBe(
    'SEALWRIGHT_PREVIOUS_INSTALLATION_KEY is not the key that the database uses.\n',
  )
  expect((await run(OLD, NEW, ...asOwner)).stderr).toMatch(/^SEALWRIGHT_INSTALLATION_KEY was replaced before\. Make a new key/)
  const { code, stdout } = await run(THIRD, NEW, ...asOwner)
  expect([code, JSON.parse(stdout)]).toEqual([0, { switched: true, renewed: expect.any(Number), unreadable: [] }])
  await expectUnharmed(withKeys(THIRD))
  expect(await service.database.owner`select from retired_installation_keys`).toHaveLength(2)
})
