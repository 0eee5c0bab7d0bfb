import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/clients/api-client.ts'
import { aDraft } from '../support/builders/envelopes.ts'
import { expectReplay, uploadOnce } from '../support/clients/keyed-requests.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let pdf: Buffer

beforeAll(async () => {
  service = await testService()
  pdf = await readFile(pdfFixture('reportlab.pdf'))
})
afterAll(() => service[Symbol.asyncDispose]())

const ENVELOPES = '/api/v1/envelopes'

function upload(key: string, path: string, { bytes = pdf, name = 'lease.pdf' } = {}): Promise<Answer> {
  return uploadOnce(service.client, key, path, bytes, name)
}

async function documents(): Promise<number> {
  const [row] = await service.database.owner`select count(*) as count from documents`
  return Number(row!['count'])
}

async function roomInUse(): Promise<number> {
  const [row] = await service.database.owner`select storage_bytes from organisations where id = ${service.organisation.orgId}`
  return Number(row!['storageBytes'])
}

describe('an upload repeated with the same key', () => {
  test("uploads one document, and releases the repeated bytes' storage", async () => {
    const [key, before, room] = [randomUUID(), await documents(), await roomInUse()]
    const first = await upload(key, '/api/v1/documents')
    expect(first.status).toBe(201)
    expectReplay(await upload(key, '/api/v1/documents'), first)
    expect([await documents(), await roomInUse()]).toEqual([before + 1, room + pdf.length])
  })

  test('attaches one document, also when the envelope accepts no more by then', async () => {
    const { id } = await aDraft(service.client)
    const key = randomUUID()
    const first = await upload(key, `${ENVELOPES}/${id}/documents`)
    expect(first.status).toBe(201)
    expect((await service.client.post(`${ENVELOPES}/${id}/send`)).status).toBe(200)
    expectReplay(await upload(key, `${ENVELOPES}/${id}/documents`), first)
    expect((await service.client.get(`${ENVELOPES}/${id}`)).body.documentCount).toBe(2)
  })
})

describe('an error', () => {
  test('about a file is stored, the file is not', async () => {
    const [key, before, room] = [randomUUID(), await documents(), await roomInUse()]
    const broken = { bytes: Buffer.from('%PDF-1.7 nothing more') }
    const first = await upload(key, '/api/v1/documents', broken)
    expect([first.status, first.body.code]).toEqual([422, 'DOCUMENT_INVALID'])
    expectReplay(await upload(key, '/api/v1/documents', broken), first)
    expect([await documents(), await roomInUse()]).toEqual([before, room])
  })

  test('about an upload to a sent envelope is stored, the file is not', async () => {
    const { id } = await aDraft(service.client)
    await service.client.post(`${ENVELOPES}/${id}/send`)
    const [key, before, room] = [randomUUID(), await documents(), await roomInUse()]
    const first = await upload(key, `${ENVELOPES}/${id}/documents`)
    expect([first.status, first.body.code]).toEqual([409, 'ENVELOPE_NOT_DRAFT'])
    expectReplay(await upload(key, `${ENVELOPES}/${id}/documents`), first)
    expect([await documents(), await roomInUse()]).toEqual([before, room])
  })
})

describe('the same key', () => {
  test.each([
    ['another file', () => ({ bytes: Buffer.concat([pdf, Buffer.from('\n')]) })],
    ['another name', () => ({ name: 'other.pdf' })],
  ])('with %s answers 422 IDEMPOTENCY_KEY_REUSED', async (_name, other) => {
    const key = randomUUID()
    expect((await upload(key, '/api/v1/documents')).status).toBe(201)
    const before = await documents()
    const refused = await upload(key, '/api/v1/documents', other())
    expect([refused.status, refused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await documents()).toBe(before)
  })
})
