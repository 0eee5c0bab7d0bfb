// The service for API tests: the real application on a separate database and a file store in a temporary folder; jobs run on demand.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openedKey } from '../builders/signing-keys.ts'
import { createApp } from '../../../api/http/app.ts'
import { serve } from '../../../api/serve.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import type { Core } from '#core/context.ts'
import { deriveInstallationKeys, type InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { openLog } from '#core/platform/log.ts'
import { type FileMailbox, openFileMailbox } from '#core/mail/file-mailbox.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import { createOrganisation, type NewOrganisation } from '#core/account/organisation/create-organisation.ts'
import { openKeyRing } from '#core/signing-key/loading/key-ring.ts'
import { storeSelfSignedKey } from '#core/signing-key/store-self-signed-key.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { measuredStore } from '#core/platform/storage/measured-store.ts'
import { openFileStore } from '#core/platform/storage/files/file-store.ts'
import { makeNextReport } from '#core/audit-report/make-next-report.ts'
import type { ReportPool } from '#core/audit-report/report-pool.ts'
import { freePort } from '../../../hack/servers/free-port.ts'
import { type ApiClient, apiClient } from '../clients/api-client.ts'
import { type AnswerChecker, checkAnswers } from '../judges/check-answers.ts'
import { sharedThreads } from './shared-threads.ts'
import { testDatabase, type TestDatabase } from './test-database.ts'

export interface TestService extends AsyncDisposable {
  url: string
  api: Core
  reports: ReportPool
  system: Core
  installationKey: Buffer
  /** SEALWRIGHT_DATA_DIR: its documents are in `storage`. */
  dataDir: string
  database: TestDatabase
  mails: FileMailbox
  organisation: NewOrganisation
  /** A client with the organisation's credential. */
  client: ApiClient
  /** The complete log. */
  readLog(): Promise<string>
  /** Seals every envelope that is due. */
  sealEnvelopes(): Promise<void>
  /** Makes every audit report that is due. */
  makeReports(): Promise<void>
  /** The key and certificates of its seals. */
  sealingKey: SigningKey
  sealing: SealingPool
  /** Sends every email that is due. */
  sendMails(): Promise<void>
  anotherOrganisation(): Promise<{ organisation: NewOrganisation; client: ApiClient }>
}

/** Rate limits are off by default; tests about them set one. */
const WITHOUT_RATES = {
  SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE: '0',
  SEALWRIGHT_RATE_UPLOADS_PER_MINUTE: '0',
  SEALWRIGHT_RATE_TOKEN_PER_MINUTE: '0',
  SEALWRIGHT_RATE_CEREMONY_PER_TOKEN_PER_MINUTE: '0',
  SEALWRIGHT_RATE_CEREMONY_PER_ADDRESS_PER_MINUTE: '0',
  SEALWRIGHT_RATE_VERIFY_PER_MINUTE: '0',
}

/** `environment` overrides the default settings, which have no rate limits here; `keysOf` gives other keys than a new one. */
export async function testService(
  environment: Record<string, string> = {},
  keysOf?: (database: TestDatabase) => Promise<InstallationKeys>,
): Promise<TestService> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await testDatabase())
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-service-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const port = Number(environment['SEALWRIGHT_PORT'] ?? (await freePort()))
  const url = `http://127.0.0.1:${port}`
  const { settings } = readSettings({ ...WITHOUT_RATES, ...environment })
  const installationKey = randomBytes(32)
  const keys = (await keysOf?.(database)) ?? deriveInstallationKeys(installationKey)
  const files = openFileStore({ folder: path.join(folder, 'storage'), publicUrl: url, presignKey: keys.presign })
  const storage = measuredStore(files)
  const { threads, reports, sealing: sealingThreads, opener } = sharedThreads()
  const logFile = path.join(folder, 'log')
  const api: Core = {
    database: database.api,
    storage,
    keys,
    settings: { ...settings, publicUrl: url },
    threads,
    log: openLog('debug', logFile),
  }
  const system: Core = { ...api, database: database.system }
  const mails = await openFileMailbox(path.join(folder, 'mails'))
  const pagesDir = path.resolve('api/pages/dist')
  const answers = checkAnswers()
  stack.defer(() => assertDescribed(answers))
  const app = createApp(api, { reports, spoolDir: folder, pagesDir, fileMailbox: mails })
  const http = await serve(answers.watch(app), '127.0.0.1', port)
  stack.defer(() => http.close(1_000))
  const organisation = await createOrganisation(system, { name: 'Test organisation' })
  const sealingKey = await newSelfSignedKey({ commonName: 'Test seal', organisation: 'Test', now: new Date() })
  await storeSelfSignedKey(system, { key: openedKey(sealingKey) })
  const sealing = { ...sealingThreads, keys: openKeyRing({ core: system, places: { keys }, opener }) }
  const running = stack.move()
  return {
    url,
    api,
    reports,
    system,
    installationKey,
    dataDir: folder,
    database,
    mails,
    organisation,
    client: await apiClient(url, organisation),
    readLog: () => readFile(logFile, 'utf8'),
    sealingKey,
    sealing,
    sealEnvelopes: async () => {
      while (await sealNextEnvelope(system, sealing));
    },
    makeReports: async () => {
      while (await makeNextReport(system, { reports, sealing }));
    },
    sendMails: async () => {
      while (await sendNextMail(system, mails));
    },
    anotherOrganisation: async () => {
      const other = await createOrganisation(system, { name: 'Another organisation' })
      return { organisation: other, client: await apiClient(url, other) }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Fails the file when its service gave a response that the API description does not declare. */
function assertDescribed(answers: AnswerChecker): void {
  const faults = answers.faults()
  if (faults.length > 0) throw new Error(`Answers that the API description does not have:\n${faults.join('\n')}`)
}
