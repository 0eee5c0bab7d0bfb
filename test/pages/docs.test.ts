import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisitor, sharedBrowser } from '../support/clients/browser.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'
import { seriousFaults } from './accessibility.ts'

let service: TestService
let browser: Browser

beforeAll(async () => {
  service = await testService()
  browser = await sharedBrowser()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('/docs', () => {
  test.each([
    ['on a desktop', {}],
    ['on a telephone in the dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ] as const)('is usable %s, fits, and takes nothing from elsewhere', async (_where, options) => {
    await using visitor = await aVisitor(browser, options)
    const { page, complaints, requests } = visitor
    await page.goto(`${service.url}/docs`)
    await page.getByRole('heading', { name: 'Quick start' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
    expect(requests.map((request) => new URL(request.url()).origin).every((origin) => origin === service.url)).toBe(true)
  })

  test('reads without scripts, and every place in its contents is there', async () => {
    await using visitor = await aVisitor(browser, { javaScriptEnabled: false })
    const { page } = visitor
    await page.goto(`${service.url}/docs`)
    const hrefs = await page
      .locator('a[href^="#"]')
      .evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))))
    const ids = await page.locator('[id]').evaluateAll((parts) => parts.map((part) => `#${part.id}`))
    expect(hrefs.length).toBeGreaterThan(100)
    expect(hrefs.filter((href) => !ids.includes(href))).toEqual([])
    expect(ids).toEqual([...new Set(ids)])
    await page.getByRole('link', { name: 'Send a draft' }).first().click()
    expect(page.url()).toBe(`${service.url}/docs#sendEnvelope`)
    await page.locator('#sendEnvelope').getByText('/api/v1/envelopes/{id}/send', { exact: true }).waitFor()
  })

  test('copies a request to paste, and shows in the contents what is being read', async () => {
    await using visitor = await aVisitor(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = visitor
    await page.goto(`${service.url}/docs#createEnvelope`)
    const section = page.locator('#createEnvelope')
    await section.getByRole('button', { name: 'Copy' }).first().click()
    await section.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('curl "$BASE_URL/api/v1/envelopes"')
    await page.locator('nav a[aria-current]', { hasText: 'Create a draft' }).waitFor()
  })
})
