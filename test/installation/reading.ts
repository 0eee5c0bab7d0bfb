// What an integrator can read: one envelope, the list and its filters, the counts; what is hidden; and repeated requests.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, apiClient, clientWithToken } from '../support/clients/api-client.ts'
import { aDraft } from '../support/builders/envelopes.ts'
import type { Installation } from '../support/servers/installations.ts'
import { expectReplay, postOnce, uploadOnce } from '../support/clients/keyed-requests.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { readFile } from 'node:fs/promises'
import { aCredential, aPersonNamed, aSentEnvelope, aWorkspace, signAs, type Workspace } from './workspace.ts'

/** `installation` is called when the tests run. */
export function describeReading(installation: () => Installation): void {
  describe('an integrator', () => {
    test('finds envelopes by status, label, title and time, newest first, and their counts', async () => {
      const workspace = await aWorkspace(installation())
      const { client, id: workspaceId } = workspace
      const drafts = []
      for (const labels of [{ plot: '1', paid: 'no' }, { plot: '2', paid: 'yes' }, { plot: '3' }]) {
        drafts.push(await aDraft(client, { workspaceId, title: `Plot ${labels.plot} 100%`, labels }))
      }
      const [cancelled, signed, draft] = drafts.map(({ id }) => id)
      await client.post(`/api/v1/envelopes/${cancelled}/send`)
      await client.post(`/api/v1/envelopes/${cancelled}/cancel`)
      const { body: sent } = await client.post(`/api/v1/envelopes/${signed}/send`)
      await signAs(installation(), sent.signingTokens[0].token)

      const found = async (query: string) => {
        const { body } = await client.get(`/api/v1/envelopes?workspaceId=${workspaceId}${query}`)
        return body.content.map(({ id }: { id: string }) => id)
      }
      expect(await found('')).toEqual([draft, signed, cancelled])
      expect(await found('&status=DRAFT,CANCELLED')).toEqual([draft, cancelled])
      expect(await found('&labels=paid=yes')).toEqual([signed])
      expect(await found('&labels=paid')).toEqual([signed, cancelled])
      expect(await found('&title=plot%203')).toEqual([draft])
      expect(await found(`&toDate=${drafts[1]!.createdAt}`)).toEqual([cancelled])
      const { body: page } = await client.get(`/api/v1/envelopes?workspaceId=${workspaceId}&size=2&page=1`)
      expect(page).toMatchObject({ page: 1, size: 2, totalElements: 3, totalPages: 2, totalCapped: false })
      expect(page.content[0]).toEqual((await client.get(`/api/v1/envelopes/${cancelled}`)).body)
      const counts = { draft: 1, sent: 0, inProgress: 0, completed: 1, cancelled: 1, expired: 0, total: 3 }
      expect((await client.get(`/api/v1/envelopes/stats?workspaceId=${workspaceId}`)).body).toEqual(counts)
    })

    describe('who repeats a request', () => {
      test('with one key creates, uploads and sends once, and gets the same response', async () => {
        const workspace = await aWorkspace(installation())
        const { client, id: workspaceId } = workspace
        const pdf = await readFile(pdfFixture('reportlab.pdf'))
        const twice = async (act: (key: string) => ReturnType<typeof postOnce>) => {
          const key = randomUUID()
          const first = await act(key)
          expectReplay(await act(key), first)
          return first.body
        }
        const document = await twice((key) => uploadOnce(client, key, '/api/v1/documents', pdf))
        const draft = { title: 'Once', signers: [aPersonNamed('Ada Tenant')], documentIds: [document.id], workspaceId }
        const { id } = await twice((key) => postOnce(client, key, '/api/v1/envelopes', draft))
        const { signingTokens } = await twice((key) => postOnce(client, key, `/api/v1/envelopes/${id}/send`))
        expect(signingTokens).toHaveLength(1)
        expect((await client.get(`/api/v1/envelopes?workspaceId=${workspaceId}`)).body.totalElements).toBe(1)
      })

      test('with one key and another body gets an error', async () => {
        const workspace = await aWorkspace(installation())
        const { client, id: workspaceId } = workspace
        const [key, signers] = [randomUUID(), [aPersonNamed('Ada Tenant')]]
        await postOnce(client, key, '/api/v1/envelopes', { title: 'One', signers, workspaceId })
        const other = await postOnce(client, key, '/api/v1/envelopes', { title: 'Other', signers, workspaceId })
        expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
      })
    })

    describe('without the permission', () => {
      let workspace: Workspace
      let stranger: ApiClient
      beforeAll(async () => {
        workspace = await aWorkspace(installation())
        const elsewhere = await aWorkspace(installation())
        stranger = await apiClient(installation().baseUrl, await aCredential(elsewhere.admin, elsewhere.id, ['envelope:read']))
      })

      test('finds no envelope of another workspace, and cannot create one there', async () => {
        const { id } = await aSentEnvelope(workspace, { signers: [aPersonNamed('Ada Tenant')] })
        for (const path of [id, `${id}/documents`]) {
          const { status, body } = await stranger.get(`/api/v1/envelopes/${path}`)
          expect([status, body.code]).toEqual([404, 'ENVELOPE_NOT_FOUND'])
        }
        expect((await stranger.get('/api/v1/envelopes/stats')).body.total).toBe(0)
        expect((await stranger.get('/api/v1/workspaces')).body.map((each: { id: string }) => each.id)).not.toContain(workspace.id)
        const draft = { title: 'x', signers: [aPersonNamed('Ada Tenant')], workspaceId: workspace.id }
        const created = await stranger.post('/api/v1/envelopes', draft)
        expect([created.status, created.body.code]).toEqual([404, 'WORKSPACE_NOT_FOUND'])
      })

      test('gets 401 without a body', async () => {
        for (const token of [undefined, 'x', `${workspace.client.token}x`]) {
          const { status, body } = await clientWithToken(installation().baseUrl, token).get('/api/v1/envelopes')
          expect([status, body]).toEqual([401, ''])
        }
      })
    })
  })
}
