// Every step of the signing page in the windows of a desktop, a phone, and a desktop at 200 and 400 % zoom.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { aVisitor } from '../support/clients/browser.ts'
import { seriousFaults } from './accessibility.ts'
import { type SigningPages, signingPages } from './signing-pages.ts'
import { readDocument } from './signing-steps.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const AT_200 = { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 }
const AT_400 = { viewport: { width: 320, height: 180 }, deviceScaleFactor: 4 }
// Long enough to scroll in its own box.
const MESSAGE = 'The keys are handed over on Monday; call the office with any question about the plot.\n'.repeat(12)

let pages: SigningPages

beforeAll(async () => {
  pages = await signingPages()
})
afterAll(() => pages[Symbol.asyncDispose]())

describe.each<[string, BrowserContextOptions, number]>([
  ['on a phone', PHONE, 0.75],
  ['at 200 % zoom', AT_200, 0.7],
  ['at 400 % zoom', AT_400, 0.55],
])('a small window %s', (_name, options, part) => {
  test.each(['en-GB', 'de-DE'])('is left to the first page, which is drawn without scrolling (%s)', async (locale) => {
    const documentIds = [await pages.anUpload('reportlab.pdf'), await pages.anUpload('cairo.pdf')]
    const { url } = await pages.aSigningPage({
      documentIds,
      signers: [ADA, BEN],
      title: 'Lease of garden plot 14',
      message: MESSAGE,
    })
    await using visitor = await aVisitor(pages.browser, { ...options, locale })
    const { page } = visitor
    await page.goto(url)
    await page.locator('[data-drawn-page="1"]').waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    expect(await partOfReader(page)).toBeGreaterThan(part)
    const { width } = options.viewport!
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(await overlaps(page)).toEqual([])

    await page.locator('.details-toggle').click()
    await page.getByText('cairo.pdf').click()
    await page.locator('.reader[aria-label="cairo.pdf"] [data-drawn-page="1"]').waitFor()
    expect(await page.locator('.details-toggle').getAttribute('aria-expanded')).toBe('false')
    // Scrolled down, the lines stay and cover no more than before.
    await page.evaluate('scrollTo(0, 300)')
    expect(await partOfReader(page)).toBeGreaterThan(part)
  })
})

test('the outline of a signature field keeps a label that can be read and leaves room for the page, at 400 % zoom', async () => {
  const { url } = await pages.aSigningPage()
  await using visitor = await aVisitor(pages.browser, AT_400)
  const { page } = visitor
  await page.goto(url)
  await page.getByRole('button', { name: 'Next signature field' }).click()
  const label = page.locator('.page-marker-label').first()
  const size = 'Number.parseFloat(getComputedStyle(document.querySelector(".page-marker-label")).fontSize)'
  expect(await page.evaluate(size)).toBeGreaterThanOrEqual(8)
  const [inner, outline] = [(await label.boundingBox())!, (await page.locator('.page-marker').first().boundingBox())!]
  expect(inner.height / outline.height).toBeLessThan(0.5)
})

test.each<[string, BrowserContextOptions]>([
  ['a desktop', {}],
  ['a phone', PHONE],
])('on %s "Next unseen page" leads the keyboard through all that is left, then to the main button', async (_name, options) => {
  const documentIds = [await pages.anUpload('reportlab.pdf'), await pages.anUpload('chromium.pdf')]
  const { url } = await pages.aSigningPage({ documentIds })
  await using visitor = await aVisitor(pages.browser, options)
  const { page } = visitor
  await page.goto(url)
  await page.getByText('1 of 3 pages seen.').waitFor()
  for (let presses = 0; (await focused(page)) !== 'Next unseen page'; presses++) {
    expect(presses).toBeLessThan(8)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.getByText('2 of 3 pages seen.').waitFor()
  const top = (await page.getByLabel('Page 2 of 2').boundingBox())!.y
  const toolbar = (await page.locator('.reader-toolbar').boundingBox())!
  expect(top).toBeGreaterThanOrEqual(toolbar.y + toolbar.height)
  expect(await focused(page)).toBe('Next unseen page')
  await page.keyboard.press('Enter')
  await page.locator('.reader[aria-label="chromium.pdf"]').waitFor()
  await page.getByText('3 of 3 pages seen.').waitFor()
  await expect.poll(() => focused(page)).toBe('Sign')
  expect(await page.getByRole('button', { name: 'Next unseen page' }).count()).toBe(0)
})

describe.each<[string, BrowserContextOptions]>([
  ['a desktop', {}],
  ['a phone in the dark scheme', { ...PHONE, colorScheme: 'dark' }],
  ['a window at 400 % zoom', AT_400],
])('%s', (_name, options) => {
  test('shows every step without an accessibility fault', async () => {
    const documentIds = [await pages.anUpload('chromium.pdf')]
    const { url } = await pages.aSigningPage({ documentIds, signers: [ADA, BEN], message: MESSAGE, otpRequired: true })
    await using visitor = await aVisitor(pages.browser, options)
    const { page } = visitor
    const faults: string[] = []
    const check = async (step: string) => faults.push(...(await seriousFaults(page)).map((fault) => `${step}: ${fault}`))

    await page.goto(url)
    await page.getByRole('button', { name: 'Send code' }).waitFor()
    await check('landing')
    await page.getByRole('button', { name: 'Send code' }).click()
    const field = page.getByLabel('Six-digit code')
    await field.waitFor()
    const code = await pages.mailedCode()
    await field.fill(code === '111111' ? '222222' : '111111')
    await page.keyboard.press('Enter')
    await page.getByText('The code is not correct').waitFor()
    await check('wrong code')
    await page.route(/\/downloads\//, (route) => route.fulfill({ status: 404 }), { times: 1 })
    await field.fill(code)
    await page.keyboard.press('Enter')
    await page.getByText('The document can’t be displayed').waitFor()
    await check('failed document')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('[data-drawn-page="1"]').waitFor()
    await check('reading')
    if (await page.locator('.details-toggle').isVisible()) {
      await page.locator('.details-toggle').click()
      await check('details')
      await page.keyboard.press('Escape')
    }
    await readDocument(page)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await check('drawing')
    await page.getByRole('tab', { name: 'Type' }).click()
    await page.getByRole('img', { name: /Preview of your signature/ }).waitFor()
    await check('typing')
    await page.getByRole('button', { name: 'Sign the document' }).click()
    await page.getByRole('heading', { name: 'You have signed' }).waitFor()
    await check('signed')
    await page.goto(`${pages.service.url}/sign/${'A'.repeat(43)}`)
    await page.getByRole('heading', { name: 'This link can’t be used' }).waitFor()
    await check('closed')
    expect(faults).toEqual([])
  })
})

function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent')
}

// Scripts of the page, in text because these tests are compiled without the browser's types.
const PART_OF_READER = `(() => {
  const lines = Array.from({ length: innerHeight }, (_, y) => document.elementFromPoint(innerWidth / 2, y))
  return lines.filter((element) => element?.closest('.pdf-pages')).length / innerHeight
})()`

/** The part of the window's height in which the reader's pages are on top. */
function partOfReader(page: Page): Promise<number> {
  return page.evaluate<number>(PART_OF_READER)
}

const OVERLAPS = `(() => {
  const parts = [...document.querySelectorAll('.headline-title, .details-toggle, .reader-tools, .next-step .hint, .next-step button')]
  const boxes = parts.map((part) => part.getBoundingClientRect())
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  const names = parts.map((part) => part.className)
  const outside = boxes.flatMap((box, i) => (box.left < 0 || box.right > innerWidth ? [names[i] + ' outside'] : []))
  return [...outside, ...boxes.flatMap((a, i) => boxes.flatMap((b, j) => (i < j && meet(a, b) ? [names[i] + ' / ' + names[j]] : [])))]
})()`

/** Which parts of the lines overlap or leave the window. */
function overlaps(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(OVERLAPS)
}
