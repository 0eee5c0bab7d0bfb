// A real browser for the page tests: Debian's Chromium, driven by playwright. Each visitor has a browser context of its own, and whatever
// a page does that its policy or its promises forbid is kept to be judged.
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'

// Chromium refuses its sandbox to root, and calls home unless told not to.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const EXECUTABLE = '/usr/bin/chromium'

export interface Visitor extends AsyncDisposable {
  page: Page
  /** What the page complained about: errors, warnings and blocked content, but not answers with an error status. */
  complaints: string[]
  requests: Request[]
}

/** Throws when Chromium is not installed (hack/system-packages.mjs installs it). */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS })
}

/** A visitor with nothing remembered; English and a desktop unless told otherwise. */
export async function aVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: Request[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const isStatus = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isStatus) complaints.push(message.text())
  })
  page.on('request', (request) => requests.push(request))
  return { page, complaints, requests, [Symbol.asyncDispose]: () => context.close() }
}
