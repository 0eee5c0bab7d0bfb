// Opens what a process works with, from its settings; whatever was opened is closed with the stack, the last one first.
import { type RequiredSettings, requireSettings } from '#core/config/require-settings.ts'
import type { Settings } from '#core/config/settings.ts'
import type { CoreSettings, SystemCore } from '#core/context.ts'
import { deriveInstallationKeys } from '#core/crypto/installation-keys.ts'
import type { Logger } from '#core/log.ts'
import { awaitDatabase } from '#core/postgres/await-database.ts'
import { type DatabaseRole, openDatabase } from '#core/postgres/client.ts'
import { openStore } from '#core/storage/open-store.ts'

export type ProcessSettings = RequiredSettings<'databaseUrl' | 'installationKey'> & CoreSettings

/** What a process of its own cannot do without. Throws SettingsError naming all that is missing. */
export function toProcessSettings(settings: Settings): ProcessSettings {
  const complete = requireSettings(settings, ['databaseUrl', 'installationKey'])
  return { ...complete, publicUrl: publicUrlOf(complete) }
}

/** Where the service is reached, when the settings do not say otherwise. */
export function publicUrlOf({
  publicUrl,
  host,
  port,
}: Pick<CoreSettings, 'host' | 'port'> & { publicUrl?: string | undefined }): string {
  return publicUrl ?? `http://${host}:${port}`
}

/** Database, object store and keys; waits for the database and its migrations. `storeOrigin`: where presigned URLs lead, when not to this service.
 *  Throws one sentence for what no waiting cures. */
export async function openCore(
  settings: ProcessSettings,
  role: DatabaseRole,
  log: Logger,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<SystemCore & { storeOrigin: string | undefined }> {
  const keys = deriveInstallationKeys(Buffer.from(settings.installationKey.reveal(), 'base64'))
  const database = openDatabase({ url: settings.databaseUrl.reveal(), pool: settings.databasePool, role })
  stack.defer(() => database.end({ timeout: 5 }))
  await awaitDatabase(database, log, signal)
  const { store, origin } = await openStore(settings, keys)
  stack.defer(() => store.close())
  return { database, storage: store, keys, settings, log, storeOrigin: origin }
}
