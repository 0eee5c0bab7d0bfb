// The whole job as a person does it, against `npm start`: a document goes in over the API, the mailed link is followed in a browser, the sealed
// copy is downloaded there, and other people's tools judge it.
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { X509Certificate } from 'node:crypto'
import { verifyPdf } from '#core/seal/verify-pdf.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawSignature, readDocument, startSigning } from '../pages/signing-steps.ts'
import { apiClient } from '../support/api-client.ts'
import { aVisitor, openBrowser } from '../support/browser.ts'
import { judgeWithOpenssl } from '../support/judges/openssl-cms.ts'
import { judgeWithPdfsig } from '../support/judges/pdfsig.ts'
import { pdfFixture } from '../support/pdf-fixtures.ts'
import { type RunningService, startService } from '../support/running-service.ts'

let dataDir: string
let service: RunningService
let browser: Browser

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-person-'))
  ;[service, browser] = await Promise.all([startService(dataDir), openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('upload, mail, code, read, sign, download: pdfsig and openssl confirm the seal', async () => {
  const client = await apiClient(service.dev.baseUrl, service.dev)
  const original = await readFile(pdfFixture('chromium.pdf'))
  const { body: document } = await client.upload('/api/v1/documents', original, { name: 'lease.pdf' })
  const signers = [{ name: 'Ada Tenant', email: 'ada@example.test' }]
  const { body: envelope } = await client.post('/api/v1/envelopes', {
    title: 'Lease of a garden plot',
    signers,
    documentIds: [document.id],
    otpRequired: true,
  })
  expect((await client.post(`/api/v1/envelopes/${envelope.id}/send`)).status).toBe(200)

  await using visitor = await aVisitor(browser)
  const { page } = visitor
  await openMailedLink(page)
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByLabel('Six-digit code').fill(await mailedCode())
  await page.keyboard.press('Enter')
  await readDocument(page)
  await startSigning(page)
  await drawSignature(page)
  await page.getByRole('button', { name: 'Sign the document' }).click()
  await page.getByRole('heading', { name: 'Everyone has signed' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download lease.pdf' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('lease-signed.pdf')
  const sealed = path.join(dataDir, 'lease-signed.pdf')
  await copyFile(await download.path(), sealed)

  expect((await readFile(sealed)).subarray(0, original.length).equals(original)).toBe(true)
  expect(await judgeWithPdfsig(sealed)).toMatchObject([{ valid: true, wholeDocument: true, subFilter: 'ETSI.CAdES.detached' }])
  const root = path.join(dataDir, 'keys', 'signing-root.pem')
  expect(await judgeWithOpenssl(sealed, root)).toMatchObject({ verified: true })
  const { raw } = new X509Certificate(await readFile(root))
  expect(verifyPdf(await readFile(sealed), { trust: [raw] })).toMatchObject({ valid: true, trusted: true })
  expect(visitor.complaints).toEqual([])
})

/** Follows the link as it stands in the mailbox's page; the mail is out a moment after the envelope was sent. */
async function openMailedLink(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: /\/sign\// }).first()
  for (let tries = 0; tries < 50 && !(await link.isVisible()); tries++) await page.goto(service.dev.mailboxUrl)
  await link.click()
}

async function mailedCode(): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(service.dev.mailboxUrl, { headers: { Accept: 'application/json' } })
    const mails: { text: string }[] = JSON.parse(await response.text())
    const code = mails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find(Boolean)
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('No code was mailed.')
}
