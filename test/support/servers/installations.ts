// The service from the outside, however it is deployed: an address, a credential, an admin, and its emails. The suite of test/installation
// uses nothing else, so it works for every deployment.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Mailbox, openMailbox } from '../clients/mailbox.ts'
import { type DevJson, startService } from './running-service.ts'
import { startSplitService } from './split-service.ts'

export interface Installation extends AsyncDisposable {
  baseUrl: string
  /** An admin of the organisation. */
  adminEmail: string
  adminPassword: string
  mailbox: Mailbox
}

/** Settings that avoid waiting: an envelope may expire after seconds, and rate limits allow many callers at one address. */
export const SUITE_SETTINGS = {
  SEALWRIGHT_MAIL_FROM: 'Sealwright <seal@example.test>',
  SEALWRIGHT_ENVELOPE_MIN_EXPIRY: '1s',
  SEALWRIGHT_EXPIRY_SWEEP_INTERVAL: '1s',
  SEALWRIGHT_OTP_RESEND_COOLDOWN: '4s',
  SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE: '6000',
  SEALWRIGHT_RATE_TOKEN_PER_MINUTE: '300',
  SEALWRIGHT_RATE_CEREMONY_PER_TOKEN_PER_MINUTE: '600',
  SEALWRIGHT_RATE_CEREMONY_PER_ADDRESS_PER_MINUTE: '6000',
  SEALWRIGHT_RATE_VERIFY_PER_MINUTE: '300',
  SEALWRIGHT_RATE_UPLOADS_PER_MINUTE: '600',
}

/** `npm start`: one process tree with embedded dependencies. */
export async function startEmbedded(): Promise<Installation> {
  return start(async (settings, stack) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-embedded-'))
    stack.defer(() => rm(dataDir, { recursive: true, force: true }))
    const service = await startService(dataDir, settings)
    stack.defer(async () => void (await service.stop()))
    return service.dev
  })
}

/** `npm run start:split`: the tiers as separate processes on a real Postgres, NATS and S3 server. */
export async function startSplit(): Promise<Installation> {
  return start(async (settings, stack) => stack.use(await startSplitService(settings)).dev)
}

/** A running one with SUITE_SETTINGS, which sends its email to `SEALWRIGHT_TEST_SMTP_PORT` of this machine. */
export async function givenInstallation(): Promise<Installation> {
  const mailbox = await openMailbox(Number(given('SMTP_PORT')))
  return {
    baseUrl: given('URL').replace(/\/+$/, ''),
    adminEmail: given('ADMIN_EMAIL'),
    adminPassword: given('ADMIN_PASSWORD'),
    mailbox,
    [Symbol.asyncDispose]: () => mailbox[Symbol.asyncDispose](),
  }
}

function given(name: string): string {
  const value = process.env[`SEALWRIGHT_TEST_${name}`]
  if (!value) throw new Error(`SEALWRIGHT_TEST_${name} is missing.`)
  return value
}

async function start(
  run: (settings: Record<string, string>, stack: AsyncDisposableStack) => Promise<DevJson>,
): Promise<Installation> {
  await using stack = new AsyncDisposableStack()
  const mailbox = stack.use(await openMailbox())
  const { baseUrl, adminEmail, adminPassword } = await run({ ...SUITE_SETTINGS, SEALWRIGHT_SMTP_URL: mailbox.smtpUrl }, stack)
  const running = stack.move()
  return { baseUrl, adminEmail, adminPassword, mailbox, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
