// Documents: what is accepted, under which names they are returned, and to whom.
import { readFile } from 'node:fs/promises'
import { parse } from 'content-disposition'
import { beforeAll, describe, expect, test } from 'vitest'
import { apiClient } from '../support/clients/api-client.ts'
import type { Installation } from '../support/servers/installations.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import {
  aCredential,
  aPersonNamed,
  aSentEnvelope,
  aWorkspace,
  download,
  type Workspace,
  signAs,
  untilSealed,
} from './workspace.ts'

/** `installation` is called when the tests run. */
export function describeDocuments(installation: () => Installation): void {
  describe('documents', () => {
    let workspace: Workspace
    let lease: Buffer
    let plan: Buffer
    beforeAll(async () => {
      ;[lease, plan] = (await Promise.all(['chromium.pdf', 'reportlab.pdf'].map((name) => readFile(pdfFixture(name))))) as [
        Buffer,
        Buffer,
      ]
      workspace = await aWorkspace(installation())
    })

    const upload = (bytes: Uint8Array, part?: { name?: string; type?: string; field?: string }) =>
      workspace.client.upload('/api/v1/documents', bytes, part)

    test('are accepted with name and size; other files are rejected', async () => {
      const name = '契約書 "1".pdf'
      const taken = await upload(lease, { name })
      expect([taken.status, taken.body]).toMatchObject([201, { filename: name, sizeBytes: lease.length }])
      const refused = await upload(Buffer.from('%PDF-1.7 and nothing else'))
      expect([refused.status, refused.body.code]).toEqual([422, 'DOCUMENT_INVALID'])
      expect((await upload(lease, { type: 'image/png' })).body.code).toBe('UNSUPPORTED_CONTENT_TYPE')
      expect((await upload(lease, { field: 'document' })).body.code).toBe('VALIDATION_FAILED')
    })

    test('are sealed one by one, and every copy is a download under its name', async () => {
      const names = ['Lease "A".pdf', 'Grundriß.pdf']
      const saved = ['Lease "A"-signed.pdf', 'Grundriß-signed.pdf']
      const uploads = await Promise.all([upload(lease, { name: names[0]! }), upload(plan, { name: names[1]! })])
      const documentIds = uploads.map(({ body }) => body.id)
      const { id, tokens } = await aSentEnvelope(workspace, { signers: [aPersonNamed('Ada Tenant')], documentIds })
      await signAs(installation(), tokens[0]!.token)
      const documents = await untilSealed(workspace, id)
      expect(documents.map(({ filename }) => filename)).toEqual(names)
      for (const [index, { downloadUrl, signedUrl }] of documents.entries()) {
        const original = [lease, plan][index]!
        expect((await download(downloadUrl)).equals(original)).toBe(true)
        const sealed = await fetch(signedUrl)
        expect([sealed.status, sealed.headers.get('content-type')]).toEqual([200, 'application/pdf'])
        const offered = parse(sealed.headers.get('content-disposition') ?? '')
        expect([offered.type, offered.parameters['filename']]).toEqual(['attachment', saved[index]])
        expect(
          Buffer.from(await sealed.arrayBuffer())
            .subarray(0, original.length)
            .equals(original),
        ).toBe(true)
      }
    })

    test('can be attached to a draft, not to a sent envelope', async () => {
      const { client, id: workspaceId } = workspace
      const body = { title: 'Lease', signers: [aPersonNamed('Ada Tenant')], workspaceId }
      const { body: draft } = await client.post('/api/v1/envelopes', body)
      expect((await client.post(`/api/v1/envelopes/${draft.id}/send`)).body.code).toBe('NO_DOCUMENTS')
      const path = `/api/v1/envelopes/${draft.id}/documents`
      expect((await client.upload(path, lease, { name: 'Lease.pdf' })).status).toBe(201)
      expect((await client.post(`/api/v1/envelopes/${draft.id}/send`)).status).toBe(200)
      expect((await client.upload(path, plan)).status).toBe(409)
      expect((await client.get(path)).body).toMatchObject([{ filename: 'Lease.pdf', signedUrl: null }])
    })

    test('are available at the unmodified URL, and only with the download permission', async () => {
      const { id } = await aSentEnvelope(workspace, { signers: [aPersonNamed('Ada Tenant')] })
      const path = `/api/v1/envelopes/${id}/documents`
      const [{ downloadUrl }] = (await workspace.client.get(path)).body
      expect((await download(downloadUrl)).length).toBeGreaterThan(0)
      const other = new URL(downloadUrl)
      other.pathname = `${other.pathname}x`
      // Our store hides whether a file exists; others answer that access is denied.
      for (const url of [other, downloadUrl.split('?')[0]]) expect([403, 404]).toContain((await fetch(url)).status)
      const reader = await apiClient(installation().baseUrl, await aCredential(workspace.admin, workspace.id, ['envelope:read']))
      expect((await reader.get(path)).body).toMatchObject([{ downloadUrl: null, signedUrl: null }])
    })
  })
}
