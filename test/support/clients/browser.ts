// A real browser for page tests: Debian's Chromium, driven by playwright. Each visitor has a separate browser context; policy violations
// and errors of the page are recorded.
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'

// Chromium refuses its sandbox to root, and phones home by default.
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
  /** The page's errors, warnings and blocked content, without error responses. */
  complaints: string[]
  requests: Request[]
}

/** Throws when Chromium is not installed (hack/system-packages.mjs installs it). */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS })
}

/** A visitor without stored state; English and a desktop by default. */
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
