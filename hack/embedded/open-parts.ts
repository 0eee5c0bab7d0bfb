// The parts of the embedded run: what the settings name, and for what they do not name the embedded stand-in.
import { type ProcessSettings, publicUrlOf } from '#core/installation/open-core.ts'
import { Secret } from '#core/platform/config/secret.ts'
import type { Settings } from '#core/platform/config/settings.ts'
import type { Logger } from '#core/platform/log.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import { retryStart } from '#core/platform/process/retry-start.ts'
import { startStatusServer, type StatusServer } from '#core/platform/process/status-server.ts'
import { newThrottledLog, type ThrottledLog } from '#core/platform/process/throttled-log.ts'
import { freePort } from '../servers/free-port.ts'
import { chooseDatabase, type ChosenDatabase } from './choose-database.ts'
import type { DataFolder } from './data-folder.ts'
import { type Identity, loadOrCreateInstallationKey } from './secrets.ts'

/** One thread by default, to keep a trial run small. */
const SEAL_THREADS = 1

export interface EmbeddedParts {
  /** Complete, as for a cluster's process. */
  settings: ProcessSettings
  database: ChosenDatabase
  status: StatusServer
}

/** Starts the database, migrates it and completes the settings. The stack stops what was started. */
export async function openParts(
  settings: Settings,
  { folder, identity, log, stack, signal }: PartsOptions,
): Promise<EmbeddedParts> {
  // The public URL needs the port before the server listens.
  const port = settings.port === 0 ? await freePort() : settings.port
  const database = await chooseDatabase(settings, folder, identity, stack)
  const awaited = alsoOnTerminal(newThrottledLog(log, 'database.not_ready'))
  const onWait = (sentence: string): void => void awaited.report(sentence)
  await retryStart(() => migrate(database.url, { signal, onWait }), awaited, signal)
  const status = stack.use(await startStatus(settings, log))
  const installationKey = settings.installationKey ?? new Secret((await loadOrCreateInstallationKey(folder)).toString('base64'))
  return {
    settings: {
      ...settings,
      port,
      publicUrl: publicUrlOf({ ...settings, port }),
      databaseUrl: new Secret(database.url),
      installationKey,
      sealThreads: settings.sealThreads ?? SEAL_THREADS,
    },
    database,
    status,
  }
}

export interface PartsOptions {
  folder: DataFolder
  identity: Identity
  log: Logger
  stack: AsyncDisposableStack
  signal: AbortSignal
}

/** A taken port is reported but not fatal: a trial run does not need metrics. */
async function startStatus(settings: Settings, log: Logger): Promise<StatusServer> {
  try {
    return await startStatusServer(settings, log)
  } catch (error) {
    console.log(`NOTE: metrics are not available: ${error instanceof Error ? error.message : String(error)}`)
    return startStatusServer({ ...settings, metricsPort: 0 }, log)
  }
}

/** Before the service is ready, its log has no reader. */
function alsoOnTerminal(log: ThrottledLog): ThrottledLog {
  const report = (sentence: string): boolean => {
    const isNews = log.report(sentence)
    if (isNews) console.log(`Waiting: ${sentence}`)
    return isNews
  }
  return { ...log, report }
}
