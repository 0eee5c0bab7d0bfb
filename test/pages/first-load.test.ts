// What a signer's browser transfers before the first screen: headers and bodies as sent, without the documents, which come after the code.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { ADA, aSentEnvelope } from '../support/builders/envelopes.ts'
import { aVisitor, sharedBrowser } from '../support/clients/browser.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const MOST_BYTES = 150_000

let service: TestService
let browser: Browser

beforeAll(async () => {
  ;[service, browser] = await Promise.all([testService(), sharedBrowser()])
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

test('the signing page loads less than 150 KB before its first screen', async () => {
  const { tokens } = await aSentEnvelope(service.client, { otpRequired: true, signers: [ADA] })
  await using visitor = await aVisitor(browser)
  const session = await visitor.page.context().newCDPSession(visitor.page)
  const paths = new Map<string, string>()
  const sizes = new Map<string, number>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    sizes.set(paths.get(requestId) ?? '', encodedDataLength),
  )
  await session.send('Network.enable')
  await visitor.page.goto(`${service.url}/sign/${tokens[0]!.token}`, { waitUntil: 'networkidle' })
  await visitor.page.getByRole('heading').first().waitFor()
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const listed = [...sizes].map(([path, size]) => `${path.replace(tokens[0]!.token, '***')} ${size}`)
  // The page, its script and the link's state: an empty list would pass as well.
  expect(listed.length).toBeGreaterThan(5)
  expect(listed.filter((line) => /pdfjs|\.woff|\/pdf-/.test(line))).toEqual([])
  expect(total, listed.join('\n')).toBeLessThan(MOST_BYTES)
  expect(visitor.complaints).toEqual([])
})
