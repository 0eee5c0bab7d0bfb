// The panel for an admin: session, quota usage, envelopes and their audit trail, keys.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Installation } from '../support/servers/installations.ts'
import { panelClient } from '../support/clients/panel-client.ts'
import { pdfText } from '../support/judges/pdf-text.ts'
import { aPersonNamed, anAdmin, aSentEnvelope, aWorkspace, signAs, untilSealed, type Workspace } from './workspace.ts'

/** `installation` is called when the tests run. */
export function describePanel(installation: () => Installation): void {
  describe('the panel', () => {
    let workspace: Workspace
    beforeAll(async () => {
      workspace = await aWorkspace(installation())
    })

    test('signs an admin in by password, requires the CSRF token for changes, and rejects the session after sign-out', async () => {
      const { adminEmail, baseUrl } = installation()
      expect((await panelClient(baseUrl).signIn(adminEmail, 'wrong')).status).toBe(401)
      const admin = await anAdmin(installation())
      expect((await admin.get('/session')).body.admin).toMatchObject({ email: adminEmail, role: 'ADMIN' })
      const { csrfToken } = admin
      admin.csrfToken = ''
      expect((await admin.post('/workspaces', { name: 'x' })).body.code).toBe('CSRF_TOKEN_INVALID')
      admin.csrfToken = csrfToken
      const cookies = new Map(admin.cookies)
      expect((await admin.delete('/session')).status).toBe(204)
      for (const [name, value] of cookies) admin.cookies.set(name, value)
      expect((await admin.get('/session')).status).toBe(401)
    })

    test('shows the quotas with their usage', async () => {
      const used = async () => {
        const { body } = await workspace.admin.get('/organisation')
        return Object.fromEntries(
          body.quotas.map((each: { dimension: string; current: number }) => [each.dimension, each.current]),
        )
      }
      const before = await used()
      await aSentEnvelope(workspace, { signers: [aPersonNamed('Ada Tenant')] })
      const after = await used()
      // Others send at the same time.
      for (const dimension of ['ENVELOPES_SENT_PER_DAY', 'EMAILS_PER_HOUR', 'STORAGE_BYTES']) {
        expect(after[dimension], dimension).toBeGreaterThan(before[dimension])
      }
      expect((await workspace.client.get('/api/v1/envelopes')).headers.get('ratelimit')).toMatch(/r=\d+/)
    })

    test("shows an envelope's history, as JSON and as a report, in one intact chain", async ({ expect }) => {
      const person = aPersonNamed('Ada Tenant')
      const { id, tokens } = await aSentEnvelope(workspace, { title: 'Garden lease', signers: [person] })
      await signAs(installation(), tokens[0]!.token)
      await untilSealed(workspace, id)
      const { admin, client } = workspace
      const actions = async (): Promise<string[]> =>
        (await admin.get(`/envelopes/${id}/audit`)).body.events.map(({ action }: { action: string }) => action)
      await expect
        .poll(actions, { timeout: 60_000, interval: 200 })
        .toEqual(expect.arrayContaining(['link.mailed', 'copy.mailed', 'envelope.sealed']))
      // An email is sent before, during or after its signer's action.
      expect((await actions()).filter((action) => !action.endsWith('.mailed'))).toEqual([
        'envelope.created',
        'document.attached',
        'envelope.sent',
        'document.opened',
        'signer.signed',
        'envelope.completed',
        'envelope.sealed',
      ])
      const { body: trail } = await admin.get(`/envelopes/${id}/audit`)
      expect(trail).toMatchObject({ envelopeId: id, status: 'COMPLETED', chain: { valid: true, rows: 9 } })
      expect(trail.events[0].actor).toEqual({ kind: 'credential', clientId: workspace.clientId })
      // Long words are broken at line ends.
      const text = (await pdfText(await reportOf(id))).replaceAll(/\s/g, '')
      for (const words of ['Garden lease', person.name, person.email]) expect(text).toContain(words.replaceAll(' ', ''))
      expect((await admin.get(`/envelopes/${id}`)).body).toEqual((await client.get(`/api/v1/envelopes/${id}`)).body)
      const { body: list } = await admin.get(`/envelopes?workspaceId=${workspace.id}&status=COMPLETED`)
      expect(list.content.map((each: { id: string }) => each.id)).toEqual([id])
    })

    /** Downloads the audit trail as a browser does, with the session's cookie. */
    async function reportOf(id: string): Promise<Buffer> {
      const Cookie = [...workspace.admin.cookies].map((pair) => pair.join('=')).join('; ')
      const url = `${installation().baseUrl}/settings/api/envelopes/${id}/audit`
      const report = await fetch(url, { headers: { Cookie, Accept: 'application/pdf' } })
      expect([report.status, report.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      return Buffer.from(await report.arrayBuffer())
    }
  })
}
