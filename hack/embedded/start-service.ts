// Puts the parts together: database, storage, mail, threads, API, workers, clock. What is started last is stopped first.
import { createApp } from '../../api/http/app.ts'
import { serve } from '../../api/serve.ts'
import { clockJobs } from '../../controller/clock/jobs.ts'
import { startClock } from '../../controller/clock/start-clock.ts'
import { startMail } from '../../workers/mail/start-mail.ts'
import { startRelay } from '../../workers/relay/start-relay.ts'
import { startSeal } from '../../workers/seal/start-seal.ts'
import { inProcessBell } from '#core/bell/in-process-bell.ts'
import type { Settings } from '#core/config/settings.ts'
import type { Core } from '#core/context.ts'
import { deriveInstallationKeys, type InstallationKeys } from '#core/crypto/installation-keys.ts'
import { openLog } from '#core/log.ts'
import { migrate } from '#core/postgres/migrate.ts'
import { type Database, type DatabaseRole, openDatabase } from '#core/postgres/client.ts'
import { databaseNow } from '#core/postgres/now.ts'
import { registerSigningKey } from '#core/seal/register-signing-key.ts'
import { openSealingPool } from '#core/seal/sealing-pool.ts'
import { openThreads } from '#core/threads/threads.ts'
import { fileURLToPath } from 'node:url'
import type { DataFolder } from './data-folder.ts'
import { keepFirstOrganisation } from './first-organisation.ts'
import { chooseDatabase, chooseMail, chooseSigningKey, chooseStorage } from './parts.ts'
import { keepIdentity, keepInstallationKey } from './secrets.ts'
import { serveMetrics } from './serve-metrics.ts'

const PAGES = fileURLToPath(new URL('../../api/pages/dist/', import.meta.url))
const GRACE_MS = 10_000
const SEAL_THREADS = 1

export interface Service extends AsyncDisposable {
  devJson: Record<string, string>
  databaseUrl: string
  /** What a person is told once it runs. */
  summary: string
}

/** Starts everything and takes requests when it resolves. A fault stops what had been started and is thrown as one sentence. */
export async function startService(settings: Settings, folder: DataFolder, signal: AbortSignal): Promise<Service> {
  await using stack = new AsyncDisposableStack()
  const identity = await keepIdentity(folder)
  const database = await chooseDatabase(settings, folder, identity, stack)
  await migrate(database.url)
  const publicUrl = settings.publicUrl ?? `http://${settings.host}:${settings.port}`
  const keys = await installationKeys(settings, folder)
  const log = openLog(settings.logLevel, folder.log)
  const storage = await chooseStorage({ ...settings, publicUrl }, folder, keys)
  stack.defer(() => storage.store.close())
  const threads = openThreads()
  stack.defer(() => threads.close())
  const api: Core = {
    database: openPool(stack, settings, database.url, 'sealwright_api'),
    storage: storage.store,
    keys,
    settings: { ...settings, publicUrl },
    threads,
    log,
  }
  const system: Core = { ...api, database: openPool(stack, settings, database.url, 'sealwright_system') }
  const signingKey = await chooseSigningKey(settings, folder, await databaseNow(system.database))
  await registerSigningKey(system, signingKey.key, signingKey.origin)
  const first = await keepFirstOrganisation(system, folder, identity)
  const mail = await chooseMail(settings, folder)
  stack.defer(() => mail.transport.close())

  const bell = inProcessBell()
  stack.use(startClock(clockJobs(system), log))
  const sealing = openSealingPool({ threads: SEAL_THREADS, key: signingKey.key })
  stack.defer(() => sealing.close())
  stack.use(startSeal(system, bell, sealing, SEAL_THREADS))
  stack.use(startMail(system, bell, mail.transport))
  stack.use(await startRelay(system, bell))
  const app = createApp(api, { spoolDir: folder.spool, pagesDir: PAGES, storeOrigin: storage.origin, keptMails: mail.kept })
  const http = await serve(app, settings.host, settings.port)
  stack.defer(() => http.close(GRACE_MS))
  stack.defer(await serveMetrics(settings))
  signal.throwIfAborted()
  const running = stack.move()
  const devJson = {
    baseUrl: publicUrl,
    tokenUrl: `${publicUrl}/oauth2/token`,
    settingsUrl: `${publicUrl}/settings`,
    ...first,
    adminEmail: identity.adminEmail,
    adminPassword: identity.adminPassword,
    ...(mail.kept && { mailboxUrl: `${publicUrl}/dev/mails` }),
  }
  const parts = [database.line, 'bell: in this process', storage.line, mail.line, signingKey.line]
  return {
    devJson,
    databaseUrl: database.url,
    summary: summarise(publicUrl, parts, folder),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function summarise(publicUrl: string, parts: readonly string[], folder: DataFolder): string {
  const lines = parts.map((line) => `  ${line}`)
  return ['', ...lines, '', `Sealwright is ready at ${publicUrl}`, `  addresses and credentials: ${folder.devJson}`].join('\n')
}

function openPool(stack: AsyncDisposableStack, settings: Settings, url: string, role: DatabaseRole): Database {
  const pool = openDatabase({ url, pool: settings.databasePool, role })
  stack.defer(() => pool.end({ timeout: 5 }))
  return pool
}

async function installationKeys(settings: Settings, folder: DataFolder): Promise<InstallationKeys> {
  const given = settings.installationKey?.reveal()
  return deriveInstallationKeys(given ? Buffer.from(given, 'base64') : await keepInstallationKey(folder))
}
