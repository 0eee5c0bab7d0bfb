// An upload that has to be normalised: what the answer says, what is stored, what the audit trail keeps.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraft } from '../support/builders/envelopes.ts'
import { realFile } from '../support/builders/pdf-fixtures.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('an irregular file', () => {
  const upload = readFileSync(realFile('03-size-one-too-small'))
  const uploadSha256 = createHash('sha256').update(upload).digest('hex')
  const normalised = {
    normalised: true,
    normalisedReason: 'Its trailer counts too few objects.',
    warnings: [{ code: 'NORMALISED', page: null, message: expect.any(String) }],
  }

  async function stored(envelopeId: string) {
    const { body: documents } = await service.client.get(`/api/v1/envelopes/${envelopeId}/documents`)
    const bytes = Buffer.from(await (await fetch(documents.at(-1).downloadUrl)).arrayBuffer())
    const [row] = await service.database.owner`select * from documents where id = ${documents.at(-1).id}`
    const [audit] = await service.database.owner`
      select detail from audit_events where envelope_id = ${envelopeId} and action = 'document.attached' order by seq desc limit 1`
    return { bytes, row: row!, detail: audit!['detail'] }
  }

  // requirements: decisions/documents/irregular
  test('is normalised: the result is the document, and the hash of the upload is in the audit trail', async () => {
    const { status, body } = await service.client.upload('/api/v1/documents', upload)
    expect([status, body]).toEqual([201, expect.objectContaining(normalised)])
    const { id } = await aDraft(service.client, { documentIds: [body.id] })
    const { bytes, row, detail } = await stored(id)
    expect(bytes).not.toEqual(upload)
    expect(inspectPdf(bufferSource(bytes), { refuseActiveContent: true }).pageCount).toBe(1)
    expect(row).toMatchObject({
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
      uploadSha256: Buffer.from(uploadSha256, 'hex'),
      normalisedReason: normalised.normalisedReason,
    })
    expect(body.sizeBytes).toBe(bytes.length)
    expect(detail).toEqual({ documentId: body.id, uploadSha256 })
  })

  test('is normalised when it is uploaded to a draft', async () => {
    const { id } = await aDraft(service.client)
    const { status, body } = await service.client.upload(`/api/v1/envelopes/${id}/documents`, upload)
    expect([status, body]).toEqual([201, expect.objectContaining(normalised)])
    expect((await stored(id)).detail).toEqual({ documentId: body.id, uploadSha256 })
  })
})
