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
const EXECUTABLE = '/usr/bin/chromium-headless-shell'

// Files of the same process load this module each for itself, or share it.
const RUNNING = Symbol.for('sealwright.test.browser')
const everywhere = globalThis as { [RUNNING]?: Promise<Browser> }

export interface Visitor extends AsyncDisposable {
  page: Page
  /** The page's errors, warnings and blocked content, without error responses. */
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
