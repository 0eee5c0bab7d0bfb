// What a sealed audit report proves to the public check and to the audit command.
import { verifyAudit } from '#core/audit/verify-audit.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { clientWithToken } from '../support/clients/api-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let id: string

beforeAll(async () => {
  service = await testService()
  ;({ id } = await aSignedEnvelope(service))
  await service.makeReports()
})
afterAll(() => service[Symbol.asyncDispose]())

test('`audit verify` finds that the entry which a report names was exchanged', async () => {
  const badRows = async () => (await verifyAudit(service.system, undefined)).badRows
  expect(await badRows()).toEqual([])
  await service.database.owner`update audit_reports set audit_hash = sha256(audit_hash) where envelope_id = ${id}`
  expect(await badRows()).toMatchObject([
    { envelopeId: id, kind: 'changed', message: expect.stringContaining('sealed audit report') },
  ])
})

test('the public check confirms the file as what it is, while it is stored', async () => {
  const [signature] = await service.database.owner`select id from signatures where envelope_id = ${id}`
  const [report] = await service.database
    .owner`select encode(sha256, 'hex') as hash, storage_key from audit_reports where envelope_id = ${id}`
  const check = () => clientWithToken(service.url).get(`/api/v1/verify?id=${signature!['id']}&h=${report!['hash']}`)
  expect((await check()).body).toMatchObject({ valid: true, message: expect.stringContaining('audit report that was sealed') })
  await service.system.storage.delete(String(report!['storageKey']))
  expect((await check()).body).not.toMatchObject({ valid: true })
})
