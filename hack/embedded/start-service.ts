// Puts the parts together: database, storage, mail, threads, API, workers, clock. What is started last is stopped first; the last three at once.
import { apiChecks } from '../../api/checks.ts'
import { createApp } from '../../api/http/app.ts'
import { serve } from '../../api/serve.ts'
import { clockJobs } from '../../controller/clock/jobs.ts'
import { startClock } from '../../controller/clock/start-clock.ts'
import { startMail } from '../../workers/mail/start-mail.ts'
import { startRelay } from '../../workers/relay/start-relay.ts'
import { drainWithDeadline } from '../../workers/runtime/drain-with-deadline.ts'
import type { Loop } from '../../workers/runtime/loop.ts'
import { startSeal } from '../../workers/seal/start-seal.ts'
import { openReportPool } from '#core/audit-report/report-pool.ts'
import { openNotifier } from '#core/messaging/open-notifier.ts'
import type { Notifier } from '#core/messaging/notifier.ts'
import type { Settings } from '#core/platform/config/settings.ts'
import type { Core } from '#core/context.ts'
import { deriveInstallationKeys, type InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import type { Logger } from '#core/platform/log.ts'
import { awaitDatabase } from '#core/installation/await-database.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import { type Database, type DatabaseRole, openDatabase } from '#core/platform/postgres/client.ts'
import { databaseNow } from '#core/platform/postgres/now.ts'
import { registerSigningKey } from '#core/signing-key/register-signing-key.ts'
import { openSigningKey } from '#core/signing-key/open-signing-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { openSealingThreads } from '#core/seal/sealing-pool.ts'
import { type ConcurrentDisposal, newConcurrentDisposal } from '#core/platform/process/concurrent-disposal.ts'
import { startStatusServer } from '#core/platform/process/status-server.ts'
import { retryStart } from '#core/platform/process/retry-start.ts'
import { type ThrottledLog, newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { type Checks, optional } from '#core/platform/process/health-checks.ts'
import { publicUrlOf } from '#core/installation/open-core.ts'
import { openStore } from '#core/installation/open-store.ts'
import type { MailTransport } from '#core/mail/mail-transport.ts'
import { openTransport } from '#core/mail/open-transport.ts'
import { WORK_KINDS } from '#core/work-kinds.ts'
import { measureQueues } from '#core/work/measure-queues.ts'
import { openThreads } from '#core/thread-pools.ts'
import { fileURLToPath } from 'node:url'
import type { DataFolder } from './data-folder.ts'
import { freePort } from '../servers/free-port.ts'
import { loadOrCreateFirstOrganisation } from './first-organisation.ts'
import { chooseDatabase } from './choose-database.ts'
import { loadOrCreateIdentity, loadOrCreateInstallationKey } from './secrets.ts'

const PAGES = fileURLToPath(new URL('../../api/pages/dist/', import.meta.url))
const GRACE_MS = 10_000
/** A seal waits for a dozen turns of an event loop that also serves; with three under way a full machine sealed fewer than were signed, and each last
 *  signer was kept waiting for the copies. */
const SEALS_PER_THREAD = 8

export interface Service extends AsyncDisposable {
  devJson: Record<string, string>
  databaseUrl: string
  /** What a person is told once it runs. */
  summary: string
  /** Rejects with the StartupError of a store that was away and turns out to be another one, or when the embedded Postgres has ended; never resolves. */
  failed: Promise<never>
}

/** Starts everything and takes requests when it resolves. A fault stops what had been started and is thrown as one sentence. */
export async function startService(settings: Settings, folder: DataFolder, log: Logger, signal: AbortSignal): Promise<Service> {
  await using stack = new AsyncDisposableStack()
  const identity = await loadOrCreateIdentity(folder)
  const port = await choosePort(settings)
  const database = await chooseDatabase(settings, folder, identity, stack)
  const publicUrl = publicUrlOf({ ...settings, port })
  const keys = await installationKeys(settings, folder)
  const pools = await openPools({ settings, url: database.url, keys, log, stack, signal })
  const storage = stack.use(await openStore({ ...settings, publicUrl }, keys, log))
  await storage.claimFor({ database: pools.system, keys })
  const threads = openThreads()
  stack.defer(() => threads.close())
  const reports = openReportPool()
  stack.defer(() => reports.close())
  const api: Core = {
    database: pools.api,
    storage: storage.store,
    keys,
    settings: { ...settings, publicUrl },
    threads,
    log,
  }
  const system: Core = { ...api, database: pools.system }
  const signingKey = await openSigningKey(settings, await databaseNow(system.database))
  await registerSigningKey(system, signingKey.key, signingKey.origin)
  const first = await loadOrCreateFirstOrganisation(system, folder, identity)
  const mail = stack.use(await openTransport(settings, log))

  const { notifier, line: notifierLine, check: checkNotifier } = stack.use(await openNotifier(settings, 'sealwright', log))
  const work = await startWorkers(stack, system, { notifier, transport: mail.transport, signingKey: signingKey.key })
  work.use(startClock(clockJobs(system), log))
  const app = createApp(api, {
    reports,
    spoolDir: folder.spool,
    pagesDir: PAGES,
    storeOrigin: storage.origin,
    fileMailbox: mail.kept,
  })
  const http = await serve(app, settings.host, port)
  work.defer(() => http.close(GRACE_MS))
  stack.use(
    await startStatus(system, { ...apiChecks(system, folder.spool), nats: optional(checkNotifier), smtp: optional(mail.check) }),
  )
  signal.throwIfAborted()
  const failed = Promise.race([storage.failed, database.ended])
  failed.catch(() => {}) // whoever does not wait for it is stopping
  const running = stack.move()
  const devJson = { ...addressesOf(publicUrl, mail.kept !== undefined), ...first, ...signInOf(identity) }
  return {
    devJson,
    databaseUrl: database.url,
    summary: summarise(devJson, [database.line, notifierLine, storage.line, mail.line, signingKey.line], folder),
    failed,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function addressesOf(baseUrl: string, hasMailbox: boolean): Addresses {
  return {
    baseUrl,
    tokenUrl: `${baseUrl}/oauth2/token`,
    settingsUrl: `${baseUrl}/settings`,
    ...(hasMailbox && { mailboxUrl: `${baseUrl}/dev/mails` }),
  }
}

function signInOf({ adminEmail, adminPassword }: { adminEmail: string; adminPassword: string }) {
  return { adminEmail, adminPassword }
}

/** Answers what ends together with the loops: all that takes or does work, each within the same seconds as in a process of its own. */
async function startWorkers(
  stack: AsyncDisposableStack,
  system: Core,
  { notifier, transport, signingKey }: { notifier: Notifier; transport: MailTransport; signingKey: SigningKey },
): Promise<ConcurrentDisposal> {
  const { settings, log } = system
  // One, unless more are asked for: a service to try out should be small.
  const threads = settings.sealThreads ?? 1
  const sealing = openSealingThreads({ threads, limitSeconds: settings.sealTimeoutSeconds })
  stack.defer(() => sealing.close())
  const work = stack.use(newConcurrentDisposal())
  const begin = (name: string, loop: Loop): void => work.defer(() => drainWithDeadline(name, loop, log))
  begin('seal', startSeal(system, notifier, sealing.withKey(signingKey), threads * SEALS_PER_THREAD))
  begin('mail', startMail(system, notifier, transport))
  begin('relay', await startRelay(system, notifier))
  return work
}

/** A taken port is said and does not keep the service from starting: whoever tries it out did not ask for metrics. */
async function startStatus(system: Core, checks: Checks): Promise<AsyncDisposable> {
  try {
    const status = await startStatusServer(system.settings, system.log)
    status.show({ ready: () => checks, measure: () => measureQueues(system, WORK_KINDS) })
    return status
  } catch (error) {
    console.log(`NOTE: no metrics: ${error instanceof Error ? error.message : String(error)}`)
    return { [Symbol.asyncDispose]: async () => {} }
  }
}

/** Links are made of it before it is listened on. */
async function choosePort({ port }: Settings): Promise<number> {
  return port === 0 ? freePort() : port
}

interface PoolOptions {
  settings: Settings
  url: string
  keys: InstallationKeys
  log: Logger
  stack: AsyncDisposableStack
  signal: AbortSignal
}

/** A pool for each role of the database, once it is migrated and as it should be. */
async function openPools({ settings, url, keys, log, stack, signal }: PoolOptions): Promise<{ api: Database; system: Database }> {
  const awaited = toldOnTerminal(newThrottledLog(log, 'database.awaited'))
  await retryStart(() => migrate(url, { signal, onWait: (sentence) => awaited.tell(sentence) }), awaited, signal)
  const open = async (role: DatabaseRole): Promise<Database> => {
    const database = openDatabase({ url, pool: settings.databasePool, role })
    stack.defer(() => database.end({ timeout: 5 }))
    await awaitDatabase({ database, keys }, awaited, signal)
    return database
  }
  return { api: await open('sealwright_api'), system: await open('sealwright_system') }
}

/** Before the service is ready, nobody reads its log. */
function toldOnTerminal(faults: ThrottledLog): ThrottledLog {
  const tell = (sentence: string): boolean => {
    const isNews = faults.tell(sentence)
    if (isNews) console.log(`Waiting. ${sentence}`)
    return isNews
  }
  return { ...faults, tell }
}

interface Addresses {
  baseUrl: string
  tokenUrl: string
  settingsUrl: string
  mailboxUrl?: string
}

function summarise(
  { baseUrl, settingsUrl, adminEmail, mailboxUrl }: Addresses & { adminEmail: string },
  parts: readonly string[],
  folder: DataFolder,
): string {
  const addresses = [
    `settings: ${settingsUrl} (sign in as ${adminEmail})`,
    ...(mailboxUrl ? [`mails: ${mailboxUrl}`] : []),
    `the API explained: ${baseUrl}/docs`,
    `passwords, credentials and all addresses: ${folder.devJson}`,
  ]
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)
  return ['', ...indented(parts), '', `Sealwright is ready at ${baseUrl}`, ...indented(addresses)].join('\n')
}

async function installationKeys(settings: Settings, folder: DataFolder): Promise<InstallationKeys> {
  const given = settings.installationKey?.reveal()
  return deriveInstallationKeys(given ? Buffer.from(given, 'base64') : await loadOrCreateInstallationKey(folder))
}
