// What a signer does on the page, step by step, as a person would: by what is written on it.
import type { Page } from 'playwright-core'

/** Looks at the first page of the document in front until it counts as opened. */
export async function readDocument(page: Page): Promise<void> {
  await page.locator('[data-drawn-page="1"]').scrollIntoViewIfNeeded()
  // A small window hides the list.
  await page.locator('[aria-current="true"] .document-state-opened').waitFor({ state: 'attached' })
}

/** Opens every document in turn; the one big button then offers to sign. */
export async function readAllDocuments(page: Page, count: number): Promise<void> {
  for (let opened = 1; opened < count; opened++) {
    await readDocument(page)
    await page.getByRole('button', { name: 'Next document' }).click()
  }
  await readDocument(page)
}

/** Opens the signature dialog. */
export async function startSigning(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByRole('dialog').waitFor()
}

/** Draws a zigzag through the signature field with the mouse. */
export async function drawSignature(page: Page): Promise<void> {
  const points = await zigzag(page)
  await page.mouse.move(points[0]!.x, points[0]!.y)
  await page.mouse.down()
  for (const { x, y } of points) await page.mouse.move(x, y, { steps: 6 })
  await page.mouse.up()
}

/** The same with a finger, on a device that has a touch screen. */
export async function drawSignatureByFinger(page: Page): Promise<void> {
  const device = await page.context().newCDPSession(page)
  const [first, ...others] = await zigzag(page)
  await device.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [first!] })
  for (const point of others) await device.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
  await device.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

async function zigzag(page: Page): Promise<{ x: number; y: number }[]> {
  const box = await page.getByLabel(/Signature drawing area/).boundingBox()
  if (!box) throw new Error('there is no field to draw in')
  return [0.2, 0.35, 0.5, 0.65, 0.8].map((part, index) => ({
    x: box.x + box.width * part,
    y: box.y + box.height * (index % 2 ? 0.3 : 0.7),
  }))
}

// A script of the page, in text because these tests are compiled without the browser's types.
const COUNT_INK = `(() => {
  const field = document.querySelector('.signature-canvas')
  const { data } = field.getContext('2d').getImageData(0, 0, field.width, field.height)
  return data.filter((value, index) => index % 4 === 3 && value > 0).length
})()`

/** How many pixels of the signature field carry ink. */
export function countInk(page: Page): Promise<number> {
  return page.evaluate<number>(COUNT_INK)
}
