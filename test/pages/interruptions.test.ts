import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisitor } from '../support/clients/browser.ts'
import { type SigningPages, signingPages } from './signing-pages.ts'
import { countInk, drawSignature, readAllDocuments, readDocument, startSigning } from './signing-steps.ts'

let pages: SigningPages

beforeAll(async () => {
  pages = await signingPages()
})
afterAll(() => pages[Symbol.asyncDispose]())

describe('nothing is lost', () => {
  test('by a reload: the documents that were opened stay ticked', async () => {
    const documentIds = [
      await pages.anUpload('reportlab.pdf'),
      await pages.anUpload('cairo.pdf'),
      await pages.anUpload('pdfkit.pdf'),
    ]
    const { url } = await pages.aSigningPage({ documentIds })
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(url)
    await readAllDocuments(page, 2)
    await page.reload()
    await page.locator('[aria-current="true"]', { hasText: 'pdfkit.pdf' }).waitFor()
    expect(await page.locator('.document-state-opened').count()).toBeGreaterThanOrEqual(2)
  })

  test('by a broken connection: the drawing stays and the next try signs', async () => {
    const { id, url } = await pages.aSigningPage()
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(url)
    await readDocument(page)
    await startSigning(page)
    await drawSignature(page)
    const ink = await countInk(page)
    await page.route(/\/sign$/, (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: 'Sign the document' }).click()
    await page.getByText('The service did not respond').waitFor()
    expect(await countInk(page)).toBe(ink)
    expect(await pages.signerStatuses(id)).toEqual(['VIEWED'])
    await page.getByRole('button', { name: 'Sign the document' }).click()
    await page.getByRole('heading', { name: 'You have signed' }).waitFor()
  })

  test('by a lost answer: trying again finds that the signature was taken, once', async () => {
    const { id, url } = await pages.aSigningPage()
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(url)
    await readDocument(page)
    await startSigning(page)
    await drawSignature(page)
    const loseTheAnswer = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route(/\/sign$/, loseTheAnswer, { times: 1 })
    await page.getByRole('button', { name: 'Sign the document' }).click()
    await page.getByText('The service did not respond').waitFor()
    await page.getByRole('button', { name: 'Sign the document' }).click()
    await page.getByRole('heading', { name: 'You have signed' }).waitFor()
    expect((await pages.auditActions(id)).filter((action) => action === 'signer.signed')).toHaveLength(1)
  })

  test('by download addresses that ran out: trying again fetches fresh ones', async () => {
    const { url } = await pages.aSigningPage()
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.route(/\/downloads\//, (route) => route.fulfill({ status: 404 }), { times: 1 })
    await page.goto(url)
    await page.getByText('The document can’t be displayed').waitFor()
    expect(await page.getByRole('button', { name: 'Sign', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Try again' }).click()
    await readDocument(page)
  })

  test('by a service that can’t be reached at first', async () => {
    const { url } = await pages.aSigningPage()
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.route(/api\/v1\/sign/, (route) => route.abort(), { times: 1 })
    await page.goto(url)
    await page.getByRole('button', { name: 'Try again' }).click()
    await readDocument(page)
  })
})

describe('a link that leads nowhere says so', () => {
  test('when there is no such link', async () => {
    await using visitor = await aVisitor(pages.browser)
    await visitor.page.goto(`${pages.service.url}/sign/${'A'.repeat(43)}`)
    await visitor.page.getByRole('heading', { name: 'This link can’t be used' }).waitFor()
  })

  test('when the envelope is cancelled while it is read', async () => {
    const { id, url } = await pages.aSigningPage()
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(url)
    await readDocument(page)
    await startSigning(page)
    await drawSignature(page)
    await pages.service.client.post(`/api/v1/envelopes/${id}/cancel`)
    await page.getByRole('button', { name: 'Sign the document' }).click()
    await page.getByRole('heading', { name: 'Signing has ended' }).waitFor()
  })

  test('in the visitor’s language', async () => {
    await using visitor = await aVisitor(pages.browser, { locale: 'de-AT' })
    await visitor.page.goto(`${pages.service.url}/sign/${'A'.repeat(43)}`)
    await visitor.page.getByRole('heading', { name: 'Dieser Link ist nicht gültig' }).waitFor()
    expect(await visitor.page.locator('html').getAttribute('lang')).toBe('de')
  })
})
