// What the tests of the signer's page share: a running service, a browser, and envelopes as their first signer meets them.
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { sharedBrowser } from '../support/clients/browser.ts'
import { aSentEnvelope, type EnvelopeOverrides } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

export interface SigningPages extends AsyncDisposable {
  service: TestService
  browser: Browser
  /** Uploads a PDF fixture and returns the document's id. */
  anUpload(file: string): Promise<string>
  /** A sent envelope's id and the address of its first signer's page. */
  aSigningPage(overrides?: EnvelopeOverrides): Promise<{ id: string; url: string }>
  signerStatuses(envelopeId: string): Promise<string[]>
  auditActions(envelopeId: string): Promise<string[]>
  /** The code in the newest mail, after everything due was sent. */
  mailedCode(): Promise<string>
}

export async function signingPages(): Promise<SigningPages> {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await testService())
  const browser = await sharedBrowser()
  const running = stack.move()
  return {
    service,
    browser,
    anUpload: async (file) => {
      const { status, body } = await service.client.upload('/api/v1/documents', await readFile(pdfFixture(file)), { name: file })
      if (status !== 201) throw new Error(`No upload: ${status} ${JSON.stringify(body)}`)
      return body.id
    },
    aSigningPage: async (overrides = {}) => {
      const { id, tokens } = await aSentEnvelope(service.client, overrides)
      return { id, url: `${service.url}/sign/${tokens[0]?.token}` }
    },
    signerStatuses: async (envelopeId) => {
      const { body } = await service.client.get(`/api/v1/envelopes/${envelopeId}`)
      return body.signers.map(({ status }: { status: string }) => status)
    },
    auditActions: async (envelopeId) => {
      const rows = await service.database.owner`select action from audit_events where envelope_id = ${envelopeId} order by seq`
      return rows.map((row) => row['action'])
    },
    mailedCode: async () => {
      await service.sendMails()
      const [mail] = await service.mails.list()
      const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
      if (!code) throw new Error('the newest mail holds no code')
      return code
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
