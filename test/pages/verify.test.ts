import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { sealedFile } from '../unit/core/pades/sealed-file.ts'
import { aVisitor } from '../support/clients/browser.ts'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { type SigningPages, signingPages } from './signing-pages.ts'

const UNKNOWN_ID = '3f0c9d0e-1a2b-4c3d-8e4f-5a6b7c8d9e0f'
const WRONG_CODE = 'AbCdEfGhIjKlMnOpQrStUv'

let pages: SigningPages
let url: string

beforeAll(async () => {
  pages = await signingPages()
  url = `${pages.service.url}/verify`
})
afterAll(() => pages[Symbol.asyncDispose]())

describe('the public check', () => {
  test('of the link in a QR code runs at once', async () => {
    await using visitor = await aVisitor(pages.browser)
    await visitor.page.goto(`${url}?id=${UNKNOWN_ID}&h=${WRONG_CODE}`)
    await visitor.page.getByRole('heading', { name: 'Not verified' }).waitFor()
    expect(visitor.complaints).toEqual([])
  })

  test('of typed numbers says what is mistyped before it asks the service', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page, requests } = visitor
    await page.goto(url)
    await page.getByLabel('Signature ID').fill('3f0c9d0e')
    await page.getByLabel('Verification code').fill('short')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText('A signature ID has 32 letters').waitFor()
    expect(requests.filter((request) => request.url().includes('/api/'))).toEqual([])
    await page.getByLabel('Signature ID').fill(UNKNOWN_ID.toUpperCase())
    await page.getByLabel('Verification code').fill(WRONG_CODE)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Not verified' }).waitFor()
  })

  test('of a file asks for the ID that it could not find in it, and sends nothing of the file', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page, requests, complaints } = visitor
    await page.goto(url)
    await page.locator('input[type="file"]').setInputFiles(pdfFixture('reportlab.pdf'))
    await page.getByText('No signature ID was found in this file').waitFor()
    await page.getByLabel('Signature ID').fill(UNKNOWN_ID)
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByRole('heading', { name: 'Not verified' }).waitFor()
    expect(requests.filter((request) => request.method() !== 'GET')).toEqual([])
    const asked = requests.map((request) => request.url()).filter((address) => address.includes('/api/'))
    expect(asked).toEqual([expect.stringMatching(new RegExp(`id=${UNKNOWN_ID}&h=[0-9a-f]{64}$`))])
    expect(complaints).toEqual([])
  })

  test('refuses what is no PDF', async () => {
    await using visitor = await aVisitor(pages.browser)
    await visitor.page.goto(url)
    await visitor.page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'note.pdf', mimeType: 'application/pdf', buffer: Buffer.from('hello') })
    await visitor.page.getByText('This is not a PDF file.').waitFor()
  })

  test('waits as long as the service asks for, then asks again', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.clock.install()
    await page.route(
      /api\/v1\/verify/,
      (route) => route.fulfill({ status: 429, headers: { 'retry-after': '40' }, json: { code: 'RATE_LIMITED' } }),
      { times: 1 },
    )
    await page.goto(`${url}?id=${UNKNOWN_ID}&h=${WRONG_CODE}`)
    const again = page.getByRole('button', { name: /Try again/ })
    await again.waitFor()
    expect(await again.isDisabled()).toBe(true)
    await page.clock.runFor(41_000)
    await again.click()
    await page.getByRole('heading', { name: 'Not verified' }).waitFor()
  })
})

describe('a sealed file', () => {
  test.each([
    ['in its page', 'chromium.pdf'],
    ['in its signature field, where the page had to stay as it was', 'signed-pyhanko.pdf'],
  ])('with the seals %s is confirmed by itself, with everybody who signed', async (_name, fixture) => {
    await using visitor = await aVisitor(pages.browser)
    const { page, requests, complaints } = visitor
    const file = await aSealedFile(fixture)
    await page.goto(url)
    await page.locator('input[type="file"]').setInputFiles({ name: 'lease.pdf', mimeType: 'application/pdf', buffer: file })
    await page.getByRole('heading', { name: '2 valid signatures, and this file is unchanged' }).waitFor()
    await page.getByText(ADA.name).waitFor()
    await page.getByText(BEN.email).waitFor()
    await page.getByText('a self-signed key of this installation').waitFor()
    expect(requests.filter((request) => request.method() !== 'GET')).toEqual([])
    expect(complaints).toEqual([])
  })

  test('with a single byte more is not', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    const file = Buffer.concat([await aSealedFile('chromium.pdf'), Buffer.from('\n')])
    await page.goto(url)
    await page.locator('input[type="file"]').setInputFiles({ name: 'lease.pdf', mimeType: 'application/pdf', buffer: file })
    await page.getByRole('heading', { name: 'lease.pdf is not the file that was sealed' }).waitFor()
    await page.getByText(ADA.name).waitFor()
    expect(await page.getByText('this file is unchanged').count()).toBe(0)
  })

  test('that another organisation signed later is shown as such, and its sealed part can be saved', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page, complaints } = visitor
    const sealed = await aSealedFile('chromium.pdf')
    const other = await newSelfSignedKey({ commonName: 'Accounts', organisation: 'Other', now: new Date() })
    const file = await sealedFile(other, sealed)
    await page.goto(url)
    await page.locator('input[type="file"]').setInputFiles({ name: 'lease.pdf', mimeType: 'application/pdf', buffer: file })
    await page.getByRole('heading', { name: 'lease.pdf was signed again after it was sealed' }).waitFor()
    await page.getByText('It was signed later by others: 1 further signature.').waitFor()
    await page.getByText(BEN.email).waitFor()
    expect(await page.getByText('this file is unchanged').count()).toBe(0)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the sealed document' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('sealed-lease.pdf')
    expect((await readFile(await download.path())).equals(sealed)).toBe(true)
    expect(complaints).toEqual([])
  })

  test('leads by the link in its seal to the signer, and from there to a check of the copy in hand', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    const file = await aSealedFile('chromium.pdf')
    const [row] = await pages.service.database.owner`select id from signatures order by signed_at desc limit 1`
    const code = pages.service.api.keys.verificationCode(row?.['id'])
    await page.goto(`${url}?id=${row?.['id']}&h=${code}`)
    await page.getByRole('heading', { name: 'This signing is on record', exact: true }).waitFor()
    await page.getByText(BEN.name).waitFor()
    await page.locator('input[type="file"]').setInputFiles({ name: 'lease.pdf', mimeType: 'application/pdf', buffer: file })
    await page.getByRole('heading', { name: '2 valid signatures, and this file is unchanged' }).waitFor()
  })
})

async function aSealedFile(fixture: string): Promise<Buffer> {
  const documentIds = [await pages.anUpload(fixture)]
  const { id } = await aSignedEnvelope(pages.service, { documentIds, signers: [ADA, BEN] })
  const { body } = await pages.service.client.get(`/api/v1/envelopes/${id}/documents`)
  return Buffer.from(await (await fetch(body[0].signedUrl)).arrayBuffer())
}
