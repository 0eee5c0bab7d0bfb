// What a sealed copy says of the audit trail, what the database recorded of that, and what an operator's command makes of both.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { extendLedgers } from '#core/audit/extend-ledger.ts'
import { verifyAudit } from '#core/audit/verify-audit.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import { verifyPdf } from '#core/seal/verify-pdf.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADA, aSentEnvelope, BEN } from '../support/envelopes.ts'
import { aSignedEnvelope, signAs } from '../support/signed-envelope.ts'
import { testService, type TestService } from '../support/test-service.ts'

const run = promisify(execFile)
let service: TestService

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

/** The command as an operator runs it: what it prints, and how it ends. */
async function auditVerify(...options: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const main = path.resolve('api/cli/main.ts')
  const env = {
    ...process.env,
    SEALWRIGHT_DATABASE_URL: service.database.url,
    SEALWRIGHT_INSTALLATION_KEY: service.installationKey.toString('base64'),
  }
  return run(process.execPath, [main, 'audit', 'verify', ...options], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

test('every sealed copy names the row that ended the signing, and the database has recorded the same', async () => {
  const { id } = await aSignedEnvelope(service, { signers: [ADA, BEN] })
  const completed = (await rowsOf(id)).find(({ action }) => action === 'envelope.completed')!
  const { body: documents } = await service.client.get(`/api/v1/envelopes/${id}/documents`)
  const sealed = Buffer.from(await (await fetch(documents[0].signedUrl)).arrayBuffer())
  const { signature } = verifyPdf(sealed, { trust: service.sealingKey.chain })
  expect(signature?.auditHead).toEqual({ envelopeId: id, seq: completed.seq, hash: completed.hash.toString('hex') })
  const [recorded] = await service.database.owner`select audit_seq, audit_hash from sealed_documents where envelope_id = ${id}`
  expect(recorded).toEqual({ auditSeq: completed.seq, auditHash: completed.hash })
  await extendLedgers(service.system)
  expect(await verifyAudit(service.system, undefined)).toMatchObject({ intact: true })
})

test('a completion that this installation did not record is never sealed', async () => {
  const { id, tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  await tamper(id)
  await sealNextEnvelope(service.system, service.sealing)
  const [intent] = await service.database.owner`select state, last_error from seal_intents where envelope_id = ${id}`
  expect(intent).toMatchObject({ lastError: expect.stringContaining('tampered with') })
  expect(await service.database.owner`select 1 from sealed_documents where envelope_id = ${id}`).toHaveLength(0)
})

test('the command names the first bad row and ends with 1, for one organisation or for all', async () => {
  const { organisation } = await service.anotherOrganisation()
  expect(await auditVerify('--org', organisation.orgId, '--json')).toMatchObject({ code: 0, stderr: '' })
  const words = await auditVerify()
  expect(words.code).toBe(1)
  expect(words.stdout).toMatch(/THE AUDIT TRAIL IS NOT INTACT\nfirst bad row: organisation \S+, envelope \S+, row 6: changed/)
})
