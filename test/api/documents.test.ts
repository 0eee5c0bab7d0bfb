import { readFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../support/clients/api-client.ts'
import { aDraft, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let pdf: Buffer

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_MAX_UPLOAD_BYTES: '300000' })
  pdf = await readFile(pdfFixture('reportlab.pdf'))
})
afterAll(() => service[Symbol.asyncDispose]())

const upload = (bytes: Uint8Array, part?: { name?: string; type?: string; field?: string }) =>
  service.client.upload('/api/v1/documents', bytes, part)

describe('uploadDocument', () => {
  test('requires envelope:create in some workspace', async () => {
    const { organisation, client } = await service.anotherOrganisation()
    const grant = (permission: string) => service.database.owner`
      update credential_grants set permissions = array[${permission}] where org_id = ${organisation.orgId}`
    const ask = () => client.upload('/api/v1/documents', pdf)
    await grant('envelope:send')
    const refused = await ask()
    expect([refused.status, refused.body]).toEqual([403, ''])
    expect(await service.database.owner`select 1 from documents where org_id = ${organisation.orgId}`).toHaveLength(0)
    await grant('envelope:create')
    expect((await ask()).status).toBe(201)
  })

  // requirements: service-api/documents/UploadedDocumentResponse, service-api/organisation/uploadDocument, decisions/documents/upload
  test('returns the stored document', async () => {
    const { status, body } = await upload(pdf, { name: 'Lease.pdf' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      filename: 'Lease.pdf',
      contentType: 'application/pdf',
      createdAt: expect.any(String),
      sizeBytes: pdf.length,
      warnings: [],
      normalised: false,
    })
  })

  // requirements: decisions/documents/forms
  test('warns of what the seal changes, as a standalone upload and on a draft', async () => {
    const form = await readFile(pdfFixture('form-format-scripts.pdf'))
    const warnings = [
      { code: 'FORM_FIELDS_LOCKED', page: null, message: expect.stringContaining('one field') },
      { code: 'SCRIPTS_DROPPED', page: null, message: expect.stringContaining('one field') },
    ]
    const draft = await aDraft(service.client)
    for (const path of ['/api/v1/documents', `/api/v1/envelopes/${draft.id}/documents`]) {
      const { status, body } = await service.client.upload(path, form)
      expect([status, body.warnings]).toEqual([201, warnings])
    }
  })

  test.each(['Mietvertrag für Straße 1.pdf', '契約書.pdf', 'with "quotes".pdf', 'a%20b.pdf', 'x'.repeat(251) + '.pdf'])(
    'keeps the file name %s as it is',
    async (name) => {
      const { status, body } = await upload(pdf, { name })
      expect([status, body.filename]).toEqual([201, name])
    },
  )

  test.each([
    ['the file that is meant', 'name="file"; filename="a.pdf"', 'application/pdf'],
    ['a file of another name', 'name="other"; filename="a.pdf"', 'application/pdf'],
    ['a file without a name', 'name="file"', 'application/pdf'],
    [
      'a second file',
      'name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="b.pdf"',
      'application/pdf',
    ],
  ])('refuses a body that ends in the middle of %s, and goes on', async (_name, disposition, type) => {
    const head = `--b\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`
    for (const bytes of [0, 1, 10, 1000, pdf.length]) {
      const body = Buffer.concat([Buffer.from(head), pdf.subarray(0, bytes)])
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
      const answer = await service.client.send('POST', '/api/v1/documents', { body, headers })
      expect([bytes, answer.status, answer.body.code]).toEqual([bytes, 400, 'VALIDATION_FAILED'])
    }
    expect((await upload(pdf)).status).toBe(201)
  })

  test('rejects a file name with a line break', async () => {
    expect((await upload(pdf, { name: 'a\r\nb.pdf' })).status).toBe(400)
  })

  // requirements: service-api/limits/document upload, decisions/documents/upload, decisions/smaller/upload that is none
  test.each([
    ['another part name', { field: 'document' }, 400, 'VALIDATION_FAILED'],
    ['another content type', { type: 'image/png' }, 400, 'UNSUPPORTED_CONTENT_TYPE'],
    ['a file name of 256 bytes', { name: 'x'.repeat(256) }, 400, 'VALIDATION_FAILED'],
  ])('refuses %s', async (_name, part, status, code) => {
    const answer = await upload(pdf, part)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  // requirements: service-api/limits/document upload, decisions/documents/upload, decisions/smaller/upload that is none
  test.each([
    ['text that calls itself a PDF', Buffer.from('hello'), 422, 'DOCUMENT_INVALID'],
    ['an empty file', Buffer.alloc(0), 422, 'DOCUMENT_INVALID'],
    ['a file above the limit', Buffer.alloc(300_001, '%PDF-1.7\n'), 422, 'DOCUMENT_TOO_LARGE'],
    ['a file far above the limit', Buffer.alloc(20_000_000, '%PDF-1.7\n'), 422, 'DOCUMENT_TOO_LARGE'],
  ])('refuses %s', async (_name, bytes, status, code) => {
    const answer = await upload(bytes)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  // requirements: decisions/documents/upload
  test('rejects a second part', async () => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'a.pdf')
    form.append('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'b.pdf')
    const { status, body } = await service.client.send('POST', '/api/v1/documents', { body: form })
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('rejects an extra field', async () => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'a.pdf')
    form.append('note', 'x')
    const { status, body } = await service.client.send('POST', '/api/v1/documents', { body: form })
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test.each([
    ['a body that is not multipart', { body: '{}', headers: { 'Content-Type': 'application/json' } }],
    [
      'multipart that breaks off',
      {
        body: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      },
    ],
    ['multipart without a boundary', { body: 'x', headers: { 'Content-Type': 'multipart/form-data' } }],
  ])('answers 400 for %s', async (_name, options) => {
    const { status, body } = await service.client.send('POST', '/api/v1/documents', options)
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  // requirements: decisions/envelopes/orgId
  test("the request may only name the caller's own organisation", async () => {
    expect((await service.client.upload(`/api/v1/documents?orgId=${service.organisation.orgId}`, pdf)).status).toBe(201)
    expect((await service.client.upload(`/api/v1/documents?orgId=${randomUUID()}`, pdf)).body.code).toBe('ORGANISATION_NOT_FOUND')
    expect((await service.client.upload('/api/v1/documents?orgId=x', pdf)).body.code).toBe('VALIDATION_FAILED')
  })

  test('a rejected upload leaves no row, no object, no spooled file and no used storage', async () => {
    await using own = await testService()
    await own.client.upload('/api/v1/documents', Buffer.from('%PDF-1.7 broken'))
    expect(await own.database.owner`select 1 from documents`).toHaveLength(0)
    const [used] = await own.database.owner`select storage_bytes from organisations`
    expect(used!['storageBytes']).toBe(0)
    const objects = []
    for await (const object of own.api.storage.list('', new Date(Date.now() + 1000))) objects.push(object.key)
    expect(objects).toEqual([])
  })

  test('the storage quota is exact for concurrent uploads', async () => {
    await using own = await testService({ SEALWRIGHT_QUOTA_STORAGE_BYTES: String(pdf.length * 3 + 10) })
    const answers = await Promise.all(Array.from({ length: 8 }, () => own.client.upload('/api/v1/documents', pdf)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 429, 429, 429, 429, 429])
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      quota: { dimension: 'STORAGE_BYTES', limit: pdf.length * 3 + 10 },
    })
    const objects = []
    for await (const object of own.api.storage.list('', new Date(Date.now() + 1000))) objects.push(object.key)
    expect(objects).toHaveLength(3)
  })

  // requirements: service-api/limits/unattached upload retention
  test('an upload that was not attached in time cannot be attached', async () => {
    await using own = await testService({ SEALWRIGHT_UNATTACHED_UPLOAD_TTL: '100s' })
    const { body: document } = await own.client.upload('/api/v1/documents', pdf)
    await own.database.moveClock(101)
    const { status, body } = await own.client.post('/api/v1/envelopes', {
      title: 'x',
      signers: [{ email: 'a@b.test', name: 'A' }],
      documentIds: [document.id],
    })
    expect([status, body.code]).toEqual([404, 'DOCUMENT_NOT_FOUND'])
  })
})

describe('uploadEnvelopeDocument', () => {
  // requirements: service-api/documents/DocumentResponse, service-api/organisation/uploadEnvelopeDocument
  test('attaches to a draft', async () => {
    const draft = await aDraft(service.client)
    const { status, body } = await service.client.upload(`/api/v1/envelopes/${draft.id}/documents`, pdf, { name: 'second.pdf' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      filename: 'second.pdf',
      contentType: 'application/pdf',
      warnings: [],
      normalised: false,
    })
    const { body: documents } = await service.client.get(`/api/v1/envelopes/${draft.id}/documents`)
    expect(documents.map(({ filename }: { filename: string }) => filename)).toEqual(['document.pdf', 'second.pdf'])
  })

  test('is impossible once the envelope has been sent', async () => {
    const { id } = await aSentEnvelope(service.client)
    const { status, body } = await service.client.upload(`/api/v1/envelopes/${id}/documents`, pdf)
    expect([status, body.code]).toEqual([409, 'ENVELOPE_NOT_DRAFT'])
  })

  // requirements: decisions/smaller/rules between fields
  test('rejects a twenty-first document', async () => {
    const draft = await aDraft(service.client)
    for (let i = 1; i < 20; i++)
      expect((await service.client.upload(`/api/v1/envelopes/${draft.id}/documents`, pdf)).status).toBe(201)
    const { status, body } = await service.client.upload(`/api/v1/envelopes/${draft.id}/documents`, pdf)
    expect([status, body.code]).toEqual([422, 'TOO_MANY_DOCUMENTS'])
  })
})

describe('listEnvelopeDocuments', () => {
  // requirements: service-api/documents/DocumentWithUrlsResponse, service-api/organisation/listEnvelopeDocuments
  test('returns a link that downloads the original bytes under the original name', async () => {
    const draft = await aDraft(service.client)
    const { body: documents } = await service.client.get(`/api/v1/envelopes/${draft.id}/documents`)
    expect(documents).toEqual([
      { id: expect.any(String), filename: 'document.pdf', downloadUrl: expect.any(String), signedUrl: null },
    ])
    const download = await fetch(documents[0].downloadUrl)
    expect(download.headers.get('content-disposition')).toMatch(/^attachment; filename="?document\.pdf"?$/)
    expect(Buffer.from(await download.arrayBuffer())).toEqual(pdf)
  })

  // requirements: service-api/limits/presigned URL lifetime, decisions/documents/presigned URL, decisions/smaller/presigned URLs of the file store
  test('a link is rejected with an extra parameter, and after an hour', async () => {
    const draft = await aDraft(service.client)
    const { body: documents } = await service.client.get(`/api/v1/envelopes/${draft.id}/documents`)
    const url: string = documents[0].downloadUrl
    expect((await fetch(`${url}&x=1`)).status).toBe(404)
    await service.database.moveClock(3_601)
    expect((await fetch(url)).status).toBe(404)
    await service.database.moveClock(0)
  })

  test('returns no links without the permission document:download', async () => {
    await using own = await testService()
    const draft = await aDraft(own.client)
    await own.database.owner`update credential_grants set permissions = array_remove(permissions, 'document:download')`
    const { body } = await own.client.get(`/api/v1/envelopes/${draft.id}/documents`)
    expect(body).toEqual([{ id: expect.any(String), filename: 'document.pdf', downloadUrl: null, signedUrl: null }])
  })
})

describe('permissions on a workspace', () => {
  // requirements: service-api/statuses/403, decisions/smaller/permission missing
  test.each([
    ['envelope:send', 'sending', (client: ApiClient, path: string) => client.post(`${path}/send`)],
    ['envelope:cancel', 'cancelling', (client: ApiClient, path: string) => client.post(`${path}/cancel`)],
    ['envelope:create', 'adding a signer', (client: ApiClient, path: string) => client.post(`${path}/signers`, BEN)],
    ['envelope:create', 'adding a document', (client: ApiClient, path: string) => client.upload(`${path}/documents`, pdf)],
    ['envelope:create', 'dropping the draft', (client: ApiClient, path: string) => client.send('DELETE', path)],
  ])('without %s, %s answers 403 without a body and changes nothing', async (permission, _act, act) => {
    const { client, organisation } = await service.anotherOrganisation()
    const draft = await aDraft(client)
    await service.database.owner`
      update credential_grants set permissions = array_remove(permissions, ${permission}) where org_id = ${organisation.orgId}`
    const answer = await act(client, `/api/v1/envelopes/${draft.id}`)
    expect([answer.status, answer.body, answer.headers.get('www-authenticate')]).toEqual([403, '', 'Bearer'])
    expect((await client.get(`/api/v1/envelopes/${draft.id}`)).body).toEqual(draft)
  })

  test('without a role in the workspace the envelope is not found', async () => {
    await using own = await testService()
    const draft = await aDraft(own.client)
    await own.database.owner`delete from credential_grants`
    expect((await own.client.get(`/api/v1/envelopes/${draft.id}`)).status).toBe(404)
  })
})
