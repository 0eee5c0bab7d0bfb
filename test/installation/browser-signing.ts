// The whole flow as a person: the emailed link in a browser, the sealed copy downloaded there, and checked with third-party tools.
import { X509Certificate } from 'node:crypto'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawSignature, readDocument, startSigning } from '../pages/signing-steps.ts'
import { aVisitor, sharedBrowser } from '../support/clients/browser.ts'
import type { Installation } from '../support/servers/installations.ts'
import { judgeWithOpenssl } from '../support/judges/openssl-cms.ts'
import { judgeWithPdfsig } from '../support/judges/pdfsig.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { trustAnchor } from './trust-anchor.ts'
import { aPersonNamed, aSentEnvelope, aWorkspace } from './workspace.ts'

/** `installation` is called when the tests run. */
export function describeBrowserSigning(installation: () => Installation): void {
  describe('a person', () => {
    let browser: Browser
    let folder: string
    beforeAll(async () => {
      browser = await sharedBrowser()
      folder = await mkdtemp(path.join(tmpdir(), 'sealwright-person-'))
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    test('follows the emailed link, enters the code, reads, signs and downloads: pdfsig and openssl confirm the seal', async () => {
      const workspace = await aWorkspace(installation())
      const original = await readFile(pdfFixture('chromium.pdf'))
      const { body: document } = await workspace.client.upload('/api/v1/documents', original, { name: 'lease.pdf' })
      const ada = aPersonNamed('Ada Tenant')
      const title = 'Lease of a garden plot'
      await aSentEnvelope(workspace, { title, signers: [ada], documentIds: [document.id], otpRequired: true })

      await using visitor = await aVisitor(browser)
      const { page } = visitor
      await page.goto(await mailed(ada.email, /\S+\/sign\/\S+/))
      await page.getByRole('button', { name: 'Send code' }).click()
      await page.getByLabel('Six-digit code').fill(await mailed(ada.email, /\b\d{6}\b/))
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
      const sealed = path.join(folder, 'lease-signed.pdf')
      await copyFile(await download.path(), sealed)

      expect((await readFile(sealed)).subarray(0, original.length).equals(original)).toBe(true)
      expect(await judgeWithPdfsig(sealed)).toMatchObject([
        { valid: true, wholeDocument: true, subFilter: 'ETSI.CAdES.detached' },
      ])
      const root = await trustAnchor(workspace.admin)
      const rootPem = path.join(folder, 'root.pem')
      await writeFile(rootPem, new X509Certificate(root).toString())
      expect(await judgeWithOpenssl(sealed, rootPem)).toMatchObject({ verified: true })
      expect(verifyPdf(await readFile(sealed), { trust: [root] })).toMatchObject({ valid: true, trusted: true })
      expect(visitor.complaints).toEqual([])
    })

    /** The match in the first email that has one. */
    async function mailed(email: string, words: RegExp): Promise<string> {
      return words.exec((await installation().mailbox.awaitMail(email, words)).text)![0]
    }
  })
}
