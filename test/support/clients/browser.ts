// A real browser for the page tests: Debian's Chromium without its own windows, driven by playwright; one for all files of a test process. Each visitor has
// a browser context, and whatever a page does that its policy or its promises forbid is kept to be judged.
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
const EXECUTABLE = '/usr/bin/chromium-headless-shell'

// Files of the same process load this module each for itself, or share it.
const RUNNING = Symbol.for('sealwright.test.browser')
const everywhere = globalThis as { [RUNNING]?: Promise<Browser> }

export interface Visitor extends AsyncDisposable {
  page: Page
  /** What the page complained about: errors, warnings and blocked content, but not answers with an error status. */
  complaints: string[]
  requests: Request[]
}

/** The browser of this process, started on first use; it ends with the process. Throws when Chromium is not installed (hack/system-packages.mjs does it). */
export function sharedBrowser(): Promise<Browser> {
  return (everywhere[RUNNING] ??= start())
}

async function start(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS, handleSIGTERM: false })
  // Vitest ends its processes so; otherwise the browser's profile would stay behind.
  process.once('SIGTERM', () => void browser.close().finally(() => process.exit()))
  return browser
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
