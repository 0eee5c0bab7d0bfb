import { verifyChain } from '#core/audit/verify-chain.ts'
import { EnvelopeId } from '#core/ids.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientWithToken } from '../support/clients/api-client.ts'
import { ADA, aDraft, BEN } from '../support/builders/envelopes.ts'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('an id in capitals is the same id', () => {
  test('of an envelope: the response has it in lower case, and the audit chain is valid', async () => {
    const { id } = await aDraft(service.client)
    const path = `/api/v1/envelopes/${id.toUpperCase()}`
    expect((await service.client.post(`${path}/signers`, BEN)).status).toBe(201)
    expect((await service.client.post(`${path}/send`)).body.envelopeId).toBe(id)
    expect((await service.client.post(`${path}/cancel`)).status).toBe(204)
    expect(await verifyChain(service.api, service.organisation.orgId, EnvelopeId.parse(id))).toEqual({ rows: 5 })
  })

  test('of a document', async () => {
    const draft = await aDraft(service.client)
    const [document] = (await service.client.get(`/api/v1/envelopes/${draft.id}/documents`)).body
    const body = { title: 'x', signers: [ADA], documentIds: [document.id.toUpperCase()] }
    expect((await service.client.post('/api/v1/envelopes', body)).body.code).toBe('DOCUMENT_ALREADY_ATTACHED')
  })

  test('of a signature: the printed code confirms it', async () => {
    const { id } = await aSignedEnvelope(service)
    const [signature] = await service.database.owner`select id from signatures where envelope_id = ${id}`
    const code = service.api.keys.verificationCode(signature!['id'])
    const verified = await clientWithToken(service.url).get(`/api/v1/verify?id=${signature!['id'].toUpperCase()}&h=${code}`)
    expect(verified.body).toMatchObject({ valid: true, envelopeId: id })
  })
})
