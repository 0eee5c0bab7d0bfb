// How an envelope ends without its signatures: deleted as a draft, cancelled, or expired.
import { beforeAll, describe, expect, test } from 'vitest'
import { aDraft } from '../support/builders/envelopes.ts'
import type { Installation } from '../support/servers/installations.ts'
import { signer } from '../support/clients/signer.ts'
import { aPersonNamed, aSentEnvelope, aWorkspace, signAs, signersOf, statusOf, type Workspace } from './workspace.ts'

const ENDED = { timeout: 60_000, interval: 200 }

/** `installation` is called when the tests run. */
export function describeEnding(installation: () => Installation): void {
  describe('an envelope', () => {
    let workspace: Workspace
    beforeAll(async () => {
      workspace = await aWorkspace(installation())
    })

    const twoSigners = () => ['Ada Tenant', 'Ben Landlord'].map(aPersonNamed)
    const at = (token: string) => signer(installation().baseUrl, token)

    test('is deleted as a draft, and is then not found', async () => {
      const { client, id: workspaceId } = workspace
      const draft = await aDraft(client, { workspaceId })
      expect((await client.send('DELETE', `/api/v1/envelopes/${draft.id}`)).status).toBe(204)
      const gone = await client.get(`/api/v1/envelopes/${draft.id}`)
      expect([gone.status, gone.body.code]).toEqual([404, 'ENVELOPE_NOT_FOUND'])
    })

    test('is cancelled between two signatures: the links stop working, and it cannot be sent or cancelled again', async () => {
      const { id, tokens } = await aSentEnvelope(workspace, { signers: twoSigners() })
      await signAs(installation(), tokens[0]!.token)
      const { client } = workspace
      expect((await client.post(`/api/v1/envelopes/${id}/cancel`)).status).toBe(204)
      expect([await statusOf(workspace, id), await signersOf(workspace, id)]).toEqual(['CANCELLED', ['SIGNED', 'CANCELLED']])
      expect((await at(tokens[1]!.token).open()).status).toBe(404)
      expect((await at(tokens[1]!.token).sign()).body.code).toBe('ENVELOPE_NOT_OPEN')
      expect((await client.post(`/api/v1/envelopes/${id}/cancel`)).body.code).toBe('ENVELOPE_NOT_CANCELLABLE')
      expect((await client.post(`/api/v1/envelopes/${id}/send`)).body.code).toBe('ENVELOPE_ALREADY_SENT')
      expect((await client.get(`/api/v1/envelopes/${id}/documents`)).body).toMatchObject([{ signedUrl: null }])
    })

    test('expires: open signers are EXPIRED, and the trail shows it', async ({ expect }) => {
      const expiresAt = new Date(Date.now() + 8_000).toISOString()
      const { id, tokens } = await aSentEnvelope(workspace, { signers: twoSigners(), expiresAt })
      expect((await at(tokens[0]!.token).open()).status).toBe(200)
      await expect.poll(() => statusOf(workspace, id), ENDED).toBe('EXPIRED')
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt))
      const act = await at(tokens[0]!.token).viewOpened()
      expect([act.status, act.body.code]).toEqual([409, 'ENVELOPE_NOT_OPEN'])
      expect((await at(tokens[0]!.token).open()).status).toBe(404)
      // The sweep, which runs later, writes the trail's entry.
      const actions = async () =>
        (await workspace.admin.get(`/envelopes/${id}/audit`)).body.events.map(({ action }: { action: string }) => action)
      await expect.poll(async () => (await actions()).at(-1), ENDED).toBe('envelope.expired')
      expect(await signersOf(workspace, id)).toEqual(['EXPIRED', 'EXPIRED'])
    })

    test('with a too early or too late expiry is rejected', async () => {
      for (const expiresAt of [new Date(Date.now() - 1_000), new Date(Date.now() + 400 * 86_400_000)]) {
        const body = { title: 'x', signers: twoSigners(), workspaceId: workspace.id, expiresAt: expiresAt.toISOString() }
        expect((await workspace.client.post('/api/v1/envelopes', body)).status).toBe(422)
      }
    })
  })
}
