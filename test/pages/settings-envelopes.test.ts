import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisitor, type Visitor } from '../support/clients/browser.ts'
import { ADA, aDraft, BEN } from '../support/builders/envelopes.ts'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { seriousFaults } from './accessibility.ts'
import { settingsPages, type SettingsPages, visitAs } from './settings-pages.ts'

const PHONE = { width: 360, height: 740 }

let pages: SettingsPages
let url: string
let visitor: Visitor
let page: Page
let signedId: string

beforeAll(async () => {
  pages = await settingsPages()
  url = `${pages.service.url}/settings`
  signedId = (await aSignedEnvelope(pages.service, { title: 'Lease of plot 14', signers: [ADA, BEN] })).id
  for (let index = 1; index <= 21; index++) await aDraft(pages.service.client, { title: `Order ${index}` })
  visitor = await aVisitor(pages.browser)
  page = visitor.page
  await visitAs(page, pages.admin, url, 'Overview')
})
afterAll(async () => {
  await visitor[Symbol.asyncDispose]()
  await pages[Symbol.asyncDispose]()
})

describe('the overview', () => {
  test('counts envelopes and leads to them, shows quotas as bars, and says that the key is self-signed', async () => {
    await page.goto(url)
    await page.getByText('Documents are sealed with a self-signed key').waitFor()
    await page.getByRole('meter', { name: 'Open envelopes' }).waitFor()
    await page.getByRole('link', { name: '1 Completed' }).click()
    await page.getByRole('link', { name: /Lease of plot 14/ }).waitFor()
    expect(page.url()).toBe(`${url}/envelopes?status=COMPLETED`)
  })
})

describe('the list of envelopes', () => {
  test('is filtered by what is typed, by page, and by an address that can be shared', async () => {
    await page.goto(`${url}/envelopes`)
    await page.getByText('1 to 20 of 22').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('21 to 22 of 22').waitFor()
    expect(page.url()).toBe(`${url}/envelopes?page=2`)
    await page.goBack()
    await page.getByText('1 to 20 of 22').waitFor()
    await page.getByLabel('Search by title').fill('plot')
    await page.getByText('1 to 1 of 1').waitFor()
    await page.reload()
    expect(await page.getByLabel('Search by title').inputValue()).toBe('plot')
    await page.getByLabel('Status').selectOption('Draft')
    await page.getByText('No matching envelopes').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('1 to 20 of 22').waitFor()
    expect(await page.getByLabel('Search by title').inputValue()).toBe('')
  })
})

describe('an envelope', () => {
  test('tells its history in sentences, checked, and as a PDF report', async () => {
    await page.goto(`${url}/envelopes/${signedId}`)
    await page.getByText('Everyone has signed: the envelope was completed.').waitFor()
    await page.getByText('Ada Signer opened the documents.').waitFor()
    await page.getByText('none is missing').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PDF report' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.pdf$/)
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('hands out its sealed copies', async () => {
    await page.goto(`${url}/envelopes/${signedId}`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Sealed copy/ }).click(),
    ])
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('is put on hold and released by an admin, and its history says so', async () => {
    await page.goto(`${url}/envelopes/${signedId}`)
    await page.getByRole('button', { name: 'Place on hold' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Place on hold' }).click()
    await page.getByText(`${pages.admin.email} placed the documents on legal hold.`).waitFor()
    await page.getByRole('button', { name: 'Release hold' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release hold' }).click()
    await page.getByText(`${pages.admin.email} released the legal hold.`).waitFor()
    await page.getByRole('button', { name: 'Place on hold' }).waitFor()
  })

  test('whose trail was tampered with says so', async () => {
    const { database } = pages.service
    await database.owner`alter table audit_events disable trigger audit_events_fixed`
    await database.owner`update audit_events set address = '192.0.2.1' where envelope_id = ${signedId} and seq = 3`
    await page.goto(`${url}/envelopes/${signedId}`)
    await page.getByText('The audit trail has been tampered with').waitFor()
  })
})

describe('a member', () => {
  test('sees the envelopes and areas that are theirs, and nothing else', async () => {
    await using other = await aVisitor(pages.browser)
    await visitAs(other.page, pages.member, url, 'Overview')
    const menu = await other.page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allInnerTexts()
    expect(menu).toEqual(['Overview', 'Envelopes', 'Workspaces', 'Signing keys'])
    await other.page.goto(`${url}/envelopes`)
    await other.page.getByText('No envelopes yet').waitFor()
    for (const address of ['/credentials', '/people', `/envelopes/${signedId}`]) {
      await other.page.goto(url + address)
      await other.page.getByRole('heading', { name: 'Page not found' }).waitFor()
    }
    await pages.service.database.owner`
      insert into member_grants (org_id, person_id, workspace_id, permissions)
      select org_id, ${pages.member.personId}, id, '{envelope:read}' from workspaces where is_general`
    await other.page.goto(`${url}/envelopes/${signedId}`)
    await other.page.getByText('You don’t have permission to download documents in this workspace.').waitFor()
    expect(await other.page.getByRole('button', { name: /^(Sealed copy|Original|Place on hold)/ }).count()).toBe(0)
    expect(other.complaints).toEqual([])
  })
})

describe('the way around', () => {
  test('is short for the keyboard: past the menu with one key', async () => {
    await page.goto(`${url}/envelopes`)
    await page.getByText('1 to 20 of 22').waitFor()
    await page.getByRole('button', { name: 'Skip to content' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Search by title')
  })

  test('is a drawer on a phone, which closes when a link is followed', async () => {
    await page.setViewportSize(PHONE)
    await page.goto(`${url}/envelopes`)
    await page.getByRole('button', { name: 'Open menu' }).click()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1280, height: 900 })
  })
})

describe('every area', () => {
  test.each([
    ['/', 'Overview'],
    ['/envelopes', 'Envelopes'],
    ['/envelopes/signed', 'Lease of plot 14'],
    ['/credentials', 'Credentials'],
    ['/credentials/new', 'New credential'],
    ['/workspaces', 'Workspaces'],
    ['/people', 'People'],
    ['/organisation', 'Organisation'],
    ['/activity', 'Activity'],
    ['/signing-keys', 'Signing keys'],
  ])('%s can be used by everybody, on a phone too', async (address, heading) => {
    await page.goto(url + address.replace('signed', signedId))
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await page.locator('.outline, [aria-busy="true"]').first().waitFor({ state: 'detached' })
    expect(await seriousFaults(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await seriousFaults(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(PHONE)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('leaves its policy unbroken', () => {
    expect(visitor.complaints).toEqual([])
  })
})
