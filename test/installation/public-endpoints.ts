// What anyone finds at an installation's address without a credential.
import { describe, expect, test } from 'vitest'
import { clientWithToken } from '../support/clients/api-client.ts'
import type { Installation } from '../support/servers/installations.ts'

/** `installation` is called when the tests run. */
export function describePublicEndpoints(installation: () => Installation): void {
  describe('without a credential the installation', () => {
    const anonymous = () => clientWithToken(installation().baseUrl)

    test('reports that it is alive and ready', async () => {
      for (const path of ['/livez', '/readyz']) expect((await anonymous().get(path)).status, path).toBe(200)
    })

    test('serves descriptions of its own address, for programs and for people', async () => {
      const { body } = await anonymous().get('/openapi.json')
      expect(body.servers).toEqual([{ url: installation().baseUrl }])
      expect((await anonymous().get('/docs')).body).toContain(`export BASE_URL=${installation().baseUrl}`)
    })

    test('issues no token for a wrong secret', async () => {
      const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'swc_nobody', client_secret: 'x' })
      const refused = await fetch(`${installation().baseUrl}/oauth2/token`, { method: 'POST', body: form })
      expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'invalid_client' }])
    })

    test('confirms nothing that was not signed here', async () => {
      const { status, body } = await anonymous().get(`/api/v1/verify?id=3f0c9d0e-1a2b-4c3d-8e4f-5a6b7c8d9e0f&h=${'A'.repeat(22)}`)
      expect([status, body.valid, body.signerEmail ?? null]).toEqual([200, false, null])
    })

    test('answers 404 for any other path', async () => {
      const { status, body } = await anonymous().get('/api/v1/nothing')
      expect([status, body.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
    })
  })
}
