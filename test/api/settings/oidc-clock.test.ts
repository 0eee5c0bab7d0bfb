// The database's clock decides about an identity provider's tokens. Here it is hours ahead of provider and process.
import { expect, test } from 'vitest'
import { freePort } from '../../../hack/servers/free-port.ts'
import { identityProvider, walkThrough } from '../../support/servers/oidc-provider.ts'
import { aPerson, panelClient } from '../../support/clients/panel-client.ts'
import { testService } from '../../support/servers/test-service.ts'

test.each([
  { hours: 0, comesBackAt: '/settings' },
  { hours: 7, comesBackAt: '/settings#error=SIGN_IN_FAILED' },
])('an ID token of now, by a database $hours hours ahead, leads to $comesBackAt', async ({ hours, comesBackAt }) => {
  const port = await freePort()
  await using provider = await identityProvider(`http://127.0.0.1:${port}`)
  await using service = await testService({
    SEALWRIGHT_PORT: String(port),
    SEALWRIGHT_OIDC_ISSUER: provider.issuer,
    SEALWRIGHT_OIDC_CLIENT_ID: provider.clientId,
    SEALWRIGHT_OIDC_CLIENT_SECRET: provider.clientSecret,
  })
  const { email } = await aPerson(service.system.database, service.organisation.orgId)
  provider.person = { email, email_verified: true }
  await service.database.moveClock(hours * 3_600)
  const browser = panelClient(service.url)
  const away = await browser.send('GET', '/settings/oidc')
  const back = await walkThrough(provider, away.headers.get('location')!)
  const { headers } = await browser.send('GET', back.slice(service.url.length))
  expect(headers.get('location')!.slice(service.url.length)).toBe(comesBackAt)
})
