import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { aVisitor } from '../support/clients/browser.ts'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { aFaxPage, aJapanesePage } from './pages-to-read.ts'
import { type SigningPages, signingPages } from './signing-pages.ts'
import { countInk, drawSignature, drawSignatureByFinger, readAllDocuments, readDocument, startSigning } from './signing-steps.ts'

let pages: SigningPages

beforeAll(async () => {
  pages = await signingPages()
})
afterEach(() => pages.service.database.moveClock(0))
afterAll(() => pages[Symbol.asyncDispose]())

describe('the ceremony', () => {
  test('leads from reading every document over a drawn signature to a signed envelope', async () => {
    const documentIds = [await pages.anUpload('chromium.pdf'), await pages.anUpload('rotated-90.pdf')]
    const { id, url } = await pages.aSigningPage({ documentIds, signers: [ADA, BEN], title: 'Lease of plot 14' })
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor

    await page.goto(url)
    await page.getByRole('heading', { name: 'Lease of plot 14' }).waitFor()
    await page.getByText(ADA.email).waitFor()
    await readDocument(page)
    expect(await page.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(0)
    await readAllDocuments(page, 2)
    expect(await page.locator('.pdf-text').first().innerText()).toContain('Lease of garden plot 14')
    await startSigning(page)
    await drawSignature(page)
    await page.getByRole('button', { name: 'Sign 2 documents' }).click()

    await page.getByRole('heading', { name: 'You have signed' }).waitFor()
    await page.getByText('Waiting for others to sign').waitFor()
    expect(await pages.signerStatuses(id)).toEqual(['SIGNED', 'SENT'])
    await expect.poll(() => pages.auditActions(id)).toEqual(expect.arrayContaining(['document.opened', 'document.closed']))
  })

  test('stays within its policy, calls no other server and never reveals its address', async () => {
    const { url } = await pages.aSigningPage()
    await using visitor = await aVisitor(pages.browser)
    const { page, complaints, requests } = visitor
    await page.goto(url)
    await readDocument(page)
    await startSigning(page)
    await page.getByRole('tab', { name: 'Type' }).click()
    await page.getByRole('img', { name: `Preview of your signature: ${ADA.name}` }).waitFor()
    await page.getByRole('button', { name: 'Sign the document' }).click()
    await page.getByRole('heading', { name: 'You have signed' }).waitFor()
    expect(complaints).toEqual([])
    const elsewhere = requests
      .map((request) => request.url())
      .filter((address) => !/^(data|blob):/.test(address) && !address.startsWith(pages.service.url))
    expect(elsewhere).toEqual([])
    const headers = await Promise.all(requests.map((request) => request.allHeaders()))
    expect(headers.filter((header) => header['referer'])).toEqual([])
  })

  test.each([
    ['a fax', aFaxPage, /\/assets\/pdfjs-[\d.]+\/wasm\//],
    ['text in a typeface that every viewer of its country has', aJapanesePage, /\/cmaps\/UniJIS/],
  ])('shows %s within its policy, with what it needs for that from the service itself', async (_name, makePage, needed) => {
    const { body } = await pages.service.client.upload('/api/v1/documents', makePage())
    const { url } = await pages.aSigningPage({ documentIds: [body.id] })
    await using visitor = await aVisitor(pages.browser)
    await visitor.page.goto(url)
    await readDocument(visitor.page)
    const answers = await Promise.all(
      visitor.requests.filter((request) => needed.test(request.url())).map((request) => request.response()),
    )
    expect(answers.map((answer) => answer?.status())).toEqual([200])
    expect(visitor.complaints).toEqual([])
  })

  test("outlines the signer's fields, at any zoom, and leads to the next one", async () => {
    const { url } = await pages.aSigningPage({ signers: [ADA, BEN] })
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    const viewed = page.waitForResponse((response) => /\/api\/v1\/sign\/[^/]+$/.test(response.url()))
    await page.goto(url)
    const [marker] = (await (await viewed).json()).documents[0].markers
    await readDocument(page)
    await page.getByRole('button', { name: 'Next signature field' }).click()
    const outline = page.getByLabel('Your signature goes here')
    expect(await outline.count()).toBe(1)
    for (const step of ['Zoom out', 'Zoom in']) {
      await page.getByRole('button', { name: step }).click()
      await page.getByRole('button', { name: 'Next signature field' }).click()
      const sheet = (await page.getByLabel(`Page ${marker.page} of`).boundingBox())!
      const area = (await outline.boundingBox())!
      // A4, the size of the fixture's pages.
      const scale = sheet.width / 595.28
      expect(Math.abs((area.x - sheet.x) / scale - marker.x)).toBeLessThan(2)
      expect(Math.abs((sheet.y + sheet.height - area.y - area.height) / scale - marker.y)).toBeLessThan(2)
      expect(Math.abs(area.width / scale - marker.width)).toBeLessThan(2)
      expect(area.y).toBeGreaterThan(0)
      expect(area.y + area.height).toBeLessThan(900)
    }
  })

  test('counts a document as opened once a page was seen uncovered, and remembers the seen pages', async () => {
    const { id, url } = await pages.aSigningPage()
    await using visitor = await aVisitor(pages.browser, { viewport: { width: 390, height: 500 } })
    const { page } = visitor
    // The document arrives when the details already cover the reader.
    const covered = Promise.withResolvers<void>()
    await page.route(/\/downloads\//, (route) => covered.promise.then(() => route.continue()))
    await page.clock.install()
    await page.goto(url)
    await page.getByRole('button', { name: '1 document' }).click()
    covered.resolve()
    await page.locator('[data-drawn-page="2"]').waitFor({ state: 'attached' })
    await page.clock.runFor(5_000)
    await page.getByText('0 of 2 pages seen.').waitFor()
    expect(await page.getByRole('button', { name: 'Sign', exact: true }).isDisabled()).toBe(true)
    expect(await pages.auditActions(id)).not.toContain('document.opened')
    await page.keyboard.press('Escape')
    await page.clock.runFor(5_000)
    await page.getByText('1 of 2 pages seen.').waitFor()
    await expect.poll(() => pages.auditActions(id)).toContain('document.opened')
    await page.reload()
    await page.getByText('1 of 2 pages seen.').waitFor()
  })

  test('serves a phone, with a finger', async () => {
    const { id, url } = await pages.aSigningPage()
    await using visitor = await aVisitor(pages.browser, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })
    const { page } = visitor
    await page.goto(url)
    await readDocument(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await page.getByRole('button', { name: 'Sign', exact: true }).tap()
    await drawSignatureByFinger(page)
    expect(await countInk(page)).toBeGreaterThan(500)
    await page.getByRole('button', { name: 'Sign the document' }).tap()
    await page.getByRole('heading', { name: 'You have signed' }).waitFor()
    expect(await pages.signerStatuses(id)).toEqual(['SIGNED'])
  })

  test('can be done with the keyboard alone', async () => {
    const { id, url } = await pages.aSigningPage()
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(url)
    await readDocument(page)
    const pressTabUntil = async (name: string) => {
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press('Tab')
        if ((await page.evaluate('document.activeElement.textContent')) === name) return
      }
      throw new Error(`"${name}" can't be reached with the Tab key`)
    }
    await pressTabUntil('Sign')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await pressTabUntil('Draw')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('img', { name: /Preview of your signature/ }).waitFor()
    await pressTabUntil('Sign the document')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'You have signed' }).waitFor()
    expect(await pages.signerStatuses(id)).toEqual(['SIGNED'])
  })
})

describe('after the last signature', () => {
  test('the page waits for the seal, then hands out the sealed copy, and does so on each later visit', async () => {
    const { url } = await pages.aSigningPage()
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(url)
    await readDocument(page)
    await startSigning(page)
    await drawSignature(page)
    await page.getByRole('button', { name: 'Sign the document' }).click()
    await page.getByRole('heading', { name: 'The signed documents are being sealed' }).waitFor()
    await pages.service.sealEnvelopes()
    await page.getByRole('heading', { name: 'Everyone has signed' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download document.pdf' }).click(),
    ])
    const sealed = await readFile(await download.path())
    const original = await readFile(pdfFixture('reportlab.pdf'))
    expect(sealed.subarray(0, original.length).equals(original)).toBe(true)
    expect(sealed.subarray(original.length).toString('latin1')).toContain('/SubFilter/ETSI.CAdES.detached')

    await page.reload()
    await page.getByRole('link', { name: 'Download document.pdf' }).waitFor()
  })
})

describe('the one-time code', () => {
  test('is asked for, mailed, refused when wrong and taken when pasted with a space', async () => {
    const message = 'Please sign by Friday.\nSee https://example.test'
    const { url } = await pages.aSigningPage({ otpRequired: true, message })
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    const expectSender = async () => {
      await page.getByText('From: Test organisation').waitFor()
      expect(await page.getByLabel('Message from the sender').innerText()).toBe(message)
      expect(await page.getByRole('link', { name: 'example.test' }).count()).toBe(0)
      await page.getByText(/Please sign by \d/).waitFor()
    }
    await page.goto(url)
    await expectSender()
    await page.getByRole('button', { name: 'Send code' }).click()
    const field = page.getByLabel('Six-digit code')
    await field.waitFor()
    const code = await pages.mailedCode()
    await field.fill(code === '111111' ? '222222' : '111111')
    await page.keyboard.press('Enter')
    await page.getByText('You have 4 tries left').waitFor()
    expect(await page.getByRole('button', { name: /Send new code in \d:\d\d/ }).isDisabled()).toBe(true)
    await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await readDocument(page)
    await expectSender()
  })

  test('waits for the same code after a reload', async () => {
    const { url } = await pages.aSigningPage({ otpRequired: true })
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(url)
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByLabel('Six-digit code').waitFor()
    const code = await pages.mailedCode()
    await page.reload()
    await page.getByLabel('Six-digit code').fill(code)
    await page.keyboard.press('Enter')
    await readDocument(page)
  })

  test('is asked for again when the half hour is over, and the drawing is kept', async () => {
    const { id, url } = await pages.aSigningPage({ otpRequired: true })
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(url)
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByLabel('Six-digit code').waitFor()
    await page.getByLabel('Six-digit code').fill(await pages.mailedCode())
    await page.keyboard.press('Enter')
    await readDocument(page)
    await startSigning(page)
    await drawSignature(page)
    const ink = await countInk(page)
    await pages.service.database.moveClock(1_801)
    await page.getByRole('button', { name: 'Sign the document' }).click()

    await page.getByText('a confirmation expires after 30 minutes').waitFor()
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByLabel('Six-digit code').waitFor()
    await page.getByLabel('Six-digit code').fill(await pages.mailedCode())
    await page.keyboard.press('Enter')
    await readDocument(page)
    await startSigning(page)
    // Redrawn from its strokes, an edge pixel may differ.
    await expect.poll(async () => Math.abs((await countInk(page)) - ink)).toBeLessThan(ink / 100)
    await page.getByRole('button', { name: 'Sign the document' }).click()
    await page.getByRole('heading', { name: 'You have signed' }).waitFor()
    // The client's own token is of the real time.
    await pages.service.database.moveClock(0)
    expect(await pages.signerStatuses(id)).toEqual(['SIGNED'])
  })

  test('that was tried too often says so and takes no further code', async () => {
    const { url } = await pages.aSigningPage({ otpRequired: true })
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(url)
    await page.getByRole('button', { name: 'Send code' }).click()
    const field = page.getByLabel('Six-digit code')
    await field.waitFor()
    const code = await pages.mailedCode()
    const wrong = code === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 5; tries++) {
      await field.fill(wrong)
      const answered = page.waitForResponse(/verify-otp/)
      await page.keyboard.press('Enter')
      await answered
    }
    await page.getByText('The last code is no longer valid. Please request a new one.').waitFor()
    expect(await field.count()).toBe(0)
    await page.getByRole('button', { name: /Send new code/ }).waitFor()
  })
})
