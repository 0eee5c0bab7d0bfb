// Opens what a process works with, from its settings; whatever was opened is closed with the stack, the last one first.
import { isIPv6 } from 'node:net'
import type { Environment } from '#core/platform/config/environment.ts'
import { readRequiredSettings, type RequiredSettings } from '#core/platform/config/read-settings.ts'
import type { CoreSettings, StorelessCore, SystemCore } from '#core/context.ts'
import { deriveInstallationKeys, type InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import type { Logger } from '#core/platform/log.ts'
import { awaitDatabase, tryDatabase } from './await-database.ts'
import { type Database, type DatabaseRole, openDatabase } from '#core/platform/postgres/client.ts'
import { required } from '#core/platform/process/health-checks.ts'
import type { StatusServer } from '#core/platform/process/status-server.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { type OpenedStore, openStore } from './open-store.ts'

export type ProcessSettings = RequiredSettings<'databaseUrl' | 'installationKey'> & CoreSettings

/** The settings of a process of its own. Throws SettingsError with all faults at once, and what it cannot do without. */
export function readProcessSettings(environment: Environment): ProcessSettings {
  const settings = readRequiredSettings(environment, ['databaseUrl', 'installationKey'])
  return { ...settings, publicUrl: publicUrlOf(settings) }
}

export type OpenedCore = SystemCore & { storeOrigin: string | undefined; storeLine: string; storeFailed: Promise<never> }

/** Where the service is reached, when the settings do not say otherwise. */
export function publicUrlOf({
  publicUrl,
  host,
  port,
}: Pick<CoreSettings, 'host' | 'port'> & { publicUrl?: string | undefined }): string {
  return publicUrl ?? `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

export interface CoreOptions {
  settings: ProcessSettings
  role: DatabaseRole
  log: Logger
  stack: AsyncDisposableStack
  signal: AbortSignal
  /** Is told what the start waits for. */
  status: StatusServer
}

/** Database, object store and keys; waits for the database and its migrations. `storeOrigin`: where presigned URLs lead, when not to this service;
 *  `storeLine`: what a person is told of the store; `storeFailed`: rejects with a StartupError when a store that was away is another one once it is back.
 *  Throws StartupError for what no waiting cures. */
export async function openCore(options: CoreOptions): Promise<OpenedCore> {
  const [core, opened] = await Promise.all([openStorelessCore(options), openCoreStore(options)])
  await opened.claimFor(core)
  const { store, origin, line, failed } = opened
  return { ...core, storage: store, storeOrigin: origin, storeLine: line, storeFailed: failed }
}

/** The object store alone, closed with the stack; it is to be claimed for the core. Throws StartupError for what no waiting cures. */
export async function openCoreStore({
  settings,
  log,
  stack,
}: Pick<CoreOptions, 'settings' | 'log' | 'stack'>): Promise<OpenedStore> {
  return stack.use(await openStore(settings, keysOf(settings), log))
}

/** As `openCore`, for processes without a need of the object store. */
export async function openStorelessCore({ settings, role, log, stack, signal, status }: CoreOptions): Promise<StorelessCore> {
  const keys = keysOf(settings)
  const database = openDatabase({ url: settings.databaseUrl.reveal(), pool: settings.databasePool, role })
  stack.defer(() => database.end({ timeout: 5 }))
  // Another part may end the start: then nobody waits any more for the database, which is closed next.
  const ending = new AbortController()
  stack.defer(() => ending.abort())
  status.show({ ready: () => ({ start: required(() => sayWhatIsAwaited(database)) }) })
  await awaitDatabase({ database, keys }, newThrottledLog(log, 'database.not_ready'), AbortSignal.any([signal, ending.signal]))
  return { database, keys, settings, log }
}

function keysOf({ installationKey }: ProcessSettings): InstallationKeys {
  return deriveInstallationKeys(Buffer.from(installationKey.reveal(), 'base64'))
}

async function sayWhatIsAwaited(database: Database): Promise<never> {
  await tryDatabase(database)
  throw new Error('still starting')
}
