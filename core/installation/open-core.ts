// Opens the dependencies of a process from its settings; the stack closes them in reverse order.
import { isIPv6 } from 'node:net'
import type { Environment } from '#core/platform/config/settings.ts'
import { readRequiredSettings, type RequiredSettings } from '#core/platform/config/read-settings.ts'
import type { CoreSettings, StorelessCore, SystemCore } from '#core/context.ts'
import { deriveInstallationKeys, type InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import type { Logger } from '#core/platform/log.ts'
import { awaitDatabase, type FoundDatabase, tryDatabase } from './await-database.ts'
import { type Database, type DatabaseRole, openDatabase } from '#core/platform/postgres/client.ts'
import type { Secret } from '#core/platform/config/secret.ts'
import { required } from '#core/platform/process/health-checks.ts'
import type { StatusServer } from '#core/platform/process/status-server.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { followKey } from './follow-key.ts'
import { type OpenedStore, openStore } from './open-store.ts'

export type ProcessSettings = RequiredSettings<'databaseUrl' | 'installationKey'> & CoreSettings

/** The settings of a stand-alone process. Throws SettingsError with all errors and missing settings at once. */
export function readProcessSettings(environment: Environment): ProcessSettings {
  const settings = readRequiredSettings(environment, ['databaseUrl', 'installationKey'])
  return { ...settings, publicUrl: publicUrlOf(settings) }
}

/** With what the start found out about the database. */
export type OpenedStorelessCore = StorelessCore & FoundDatabase

export type OpenedCore = SystemCore &
  FoundDatabase & { storeOrigin: string | undefined; storeLine: string; storeFailed: Promise<never> }

/** The address of the service when the settings do not name one. */
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
  /** Shows on `/readyz` what the start waits for. */
  status: StatusServer
}

/** Opens database, object store and keys; waits for the database and its migrations. `storeOrigin`: the origin of presigned URLs, when it is not this
 *  service; `storeLine`: describes the store in the terminal; `storeFailed`: rejects with a StartupError when an unavailable store turns out to be
 *  the wrong one. Throws StartupError for an error that waiting cannot fix. */
export async function openCore(options: CoreOptions): Promise<OpenedCore> {
  const [core, opened] = await Promise.all([openStorelessCore(options), openCoreStore(options)])
  await opened.claimFor(core)
  const { store, origin, line, failed } = opened
  return { ...core, storage: store, storeOrigin: origin, storeLine: line, storeFailed: failed }
}

/** Opens the object store alone, closed with the stack; the caller claims it for the core. Throws StartupError for an error that waiting cannot fix. */
export async function openCoreStore({
  settings,
  log,
  stack,
}: Pick<CoreOptions, 'settings' | 'log' | 'stack'>): Promise<OpenedStore> {
  return stack.use(await openStore(settings, keysOf(settings), log))
}

/** Opens the core for processes that need no object store; otherwise like `openCore`. */
export async function openStorelessCore({
  settings,
  role,
  log,
  stack,
  signal,
  status,
}: CoreOptions): Promise<OpenedStorelessCore> {
  const keys = keysOf(settings)
  const database = openDatabase({ url: settings.databaseUrl.reveal(), pool: settings.databasePool, role })
  stack.defer(() => database.end({ timeout: 5 }))
  // Another dependency may end the start: the wait for the database then stops, because the stack closes it next.
  const ending = new AbortController()
  stack.defer(() => ending.abort())
  status.show({ ready: () => ({ start: required(() => sayWhatIsAwaited(database)) }) })
  const awaited = newThrottledLog(log, 'database.not_ready')
  const found = await awaitDatabase({ database, keys }, awaited, AbortSignal.any([signal, ending.signal]))
  stack.use(followKey({ database, keys, log }))
  return { ...found, database, keys, settings, log }
}

function keysOf({ installationKey, previousInstallationKey: previous }: ProcessSettings): InstallationKeys {
  const bytes = (secret: Secret): Buffer => Buffer.from(secret.reveal(), 'base64')
  return deriveInstallationKeys(bytes(installationKey), previous && bytes(previous))
}

async function sayWhatIsAwaited(database: Database): Promise<never> {
  await tryDatabase(database)
  throw new Error('still starting')
}
