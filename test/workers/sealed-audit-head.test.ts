// The audit head in a sealed copy, the database's record of it, and the operator's command that compares both.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { extendLedgers } from '#core/audit/extend-ledger.ts'
import { verifyAudit } from '#core/audit/verify-audit.ts'
import { verifyCopy } from '#core/audit-report/verify-copy.ts'
import { storeSelfSignedKey } from '#core/signing-key/store-self-signed-key.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import { verifyDocument } from '#core/pades/verify-document.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADA, aDraft, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { openedKey } from '../support/builders/signing-keys.ts'
import { signer } from '../support/clients/signer.ts'
import { testDatabase } from '../support/servers/test-database.ts'
import { runInProcess } from '../support/clients/command-line.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const run = promisify(execFile)
let service: TestService
/** A sealed copy, as its receiver has it. */
let kept: Buffer

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

const rowsOf = (id: string) => service.database.owner<{ seq: number; action: string; hash: Buffer }[]>`
  select seq, action, hash from audit_events where envelope_id = ${id} order by seq`
const tamper = (id: string) =>
  service.database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`update audit_events set hash = sha256(hash) where envelope_id = ${id} and action = 'envelope.completed'`
  })

const settings = () => ({
  SEALWRIGHT_DATABASE_URL: service.database.url,
  SEALWRIGHT_INSTALLATION_KEY: service.installationKey.toString('base64'),
})
const inProcess = (...options: string[]) => runInProcess(settings(), ['audit', 'verify', ...options])

/** The command as an operator runs it: output and exit code. */
async function auditVerify(...options: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const main = path.resolve('api/cli/main.ts')
  const env = { ...process.env, ...settings() }
  return run(process.execPath, [main, 'audit', 'verify', ...options], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

test('every sealed copy names the row that ended the signing, as the database recorded it', async () => {
  const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN] })
  for (const { token } of tokens) await signAs(service, token)
  // The trail continues after the row that ended the signing.
  await signer(service.url, tokens[1]!.token).viewClosed({ durationMs: 5 })
  await service.sealEnvelopes()
  const completed = (await rowsOf(id)).find(({ action }) => action === 'envelope.completed')!
  const { body: documents } = await service.client.get(`/api/v1/envelopes/${id}/documents`)
  const sealed = Buffer.from(await (await fetch(documents[0].signedUrl)).arrayBuffer())
  const { signature } = verifyPdf(sealed, { trust: service.sealingKey.chain })
  expect(signature?.auditHead).toEqual({ envelopeId: id, seq: completed.seq, hash: completed.hash.toString('hex') })
  const [recorded] = await service.database.owner`select audit_seq, audit_hash from sealed_documents where envelope_id = ${id}`
  expect(recorded).toEqual({ auditSeq: completed.seq, auditHash: completed.hash })
  await extendLedgers(service.system)
  expect(await verifyAudit(service.system, undefined)).toMatchObject({ intact: true })
  expect(await verifyCopy(service.system, sealed)).toMatchObject({ matches: true })
  kept = sealed
})

test('a sealed copy names its signers, and may be sealed again, but not when it was changed after its seal', async () => {
  const { signatures } = verifyDocument(kept, {})
  expect(signatures).toMatchObject([{ signers: [ADA.name, BEN.name], intact: true, covers: 'WHOLE_FILE', laterChanges: 'NONE' }])
  const again = await service.client.upload('/api/v1/documents', kept)
  expect(again.status).toBe(201)
  const forged = Buffer.from(kept)
  // In the comment after the header, which no reader looks at.
  forged[kept.indexOf('%', 5) + 1]! ^= 1
  const refused = await service.client.upload('/api/v1/documents', forged)
  expect(refused).toMatchObject({ status: 422, body: { code: 'DOCUMENT_SIGNATURE_BROKEN' } })
})

test('a kept copy proves that the database was restored to an earlier state, or is another one', async () => {
  const changed = Buffer.from(kept)
  changed[kept.length - 20]! ^= 1
  expect(await verifyCopy(service.system, changed)).toMatchObject({ matches: false })
  await using another = await testDatabase()
  const core = { database: another.system }
  expect(await verifyCopy(core, kept)).toMatchObject({ matches: false, message: expect.stringContaining('certificate') })
  await storeSelfSignedKey({ ...service.system, ...core }, { key: openedKey(service.sealingKey) })
  expect(await verifyCopy(core, kept)).toMatchObject({
    matches: false,
    message: expect.stringMatching(/does not contain entry 8/),
  })
})

test('a completion that this installation did not record is never sealed', async () => {
  const { id, tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  await tamper(id)
  await sealNextEnvelope(service.system, service.sealing)
  const [intent] = await service.database.owner`select state, last_error from seal_jobs where envelope_id = ${id}`
  expect(intent).toMatchObject({ lastError: expect.stringContaining('tampered with') })
  expect(await service.database.owner`select 1 from sealed_documents where envelope_id = ${id}`).toHaveLength(0)
})

// requirements: running/commands/audit verify
test('the command names the first bad row and exits with 1, for one organisation or for all', async () => {
  const { organisation, client } = await service.anotherOrganisation()
  await aDraft(client)
  await extendLedgers(service.system)
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'sealwright-copy-')), 'kept.pdf')
  await writeFile(file, kept)
  const { code, stdout } = await auditVerify('--org', organisation.orgId, '--file', file, '--json')
  await rm(path.dirname(file), { recursive: true })
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { intact: true, firstBadRow: null, copies: [{ file, matches: true }] }])
  const [{ hash: head }] = JSON.parse(stdout).ledgers
  const row = kept.toString('latin1').match(/SHA-256 ([0-9a-f]{64})/)![1]!
  const unknown = 'f'.repeat(64)
  for (const [heads, exitCode, line] of [
    [[head.toUpperCase()], 0, `contains the known head ${head}`],
    [[head, '--known-head', unknown], 1, `DOES NOT CONTAIN the known head ${unknown}`],
    [[row], 1, `DOES NOT CONTAIN the known head ${row}`],
  ] as const) {
    const noted = await inProcess('--org', organisation.orgId, '--known-head', ...heads)
    expect([noted.code, noted.stdout]).toEqual([exitCode, expect.stringContaining(line)])
  }
  for (const wrong of ['', head.slice(1), `${head}0`, `${head.slice(1)}g`, '0x12']) {
    const refused = await inProcess('--known-head', wrong)
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('64 hexadecimal digits') })
  }
  const words = await auditVerify()
  expect(words.code).toBe(1)
  expect(words.stdout).toMatch(
    /THE AUDIT TRAIL IS NOT INTACT\nfirst invalid entry: organisation \S+, envelope \S+, entry 6: changed/,
  )
})
