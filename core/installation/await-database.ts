// A process may start before its database does, or before the migrations have run: it waits and says for what.
import type { Core } from '#core/context.ts'
import { claimKey } from './check-key.ts'
import type { FaultLog } from '#core/platform/process/throttled-log.ts'
import { keepTrying } from '#core/platform/process/retry-start.ts'
import { StartFault } from '#core/platform/process/startup-error.ts'
import type { Database } from '#core/platform/postgres/client.ts'
import { toDatabaseFault } from '#core/platform/postgres/startup-error.ts'
import { listPending } from '#core/platform/postgres/migrate.ts'
import { assertFitServer } from '#core/platform/postgres/check-server.ts'
import { assertRoleRights } from '#core/platform/postgres/check-grants.ts'
import { assertTakesChanges } from '#core/platform/postgres/check-writable.ts'

/** Resolves when the database answers, is as it should be and belongs to the key. Throws StartFault for what no waiting cures, and the signal's reason
 *  when stopped. */
export async function awaitDatabase(
  core: Pick<Core, 'database' | 'keys'>,
  awaited: FaultLog,
  signal: AbortSignal,
): Promise<void> {
  await keepTrying(() => openInstallation(core), awaited, signal)
}

async function openInstallation(core: Pick<Core, 'database' | 'keys'>): Promise<void> {
  await tryDatabase(core.database)
  try {
    await claimKey(core)
  } catch (error) {
    throw toDatabaseFault(error)
  }
}

/** Throws StartFault unless the database answers, gives the role its rights, has every migration and takes changes. */
export async function tryDatabase(database: Database): Promise<void> {
  try {
    await assertFitServer(database)
    // Without rights the migrations look as if none had run.
    await assertRoleRights(database)
    await assertMigrated(database)
    await assertTakesChanges(database)
  } catch (error) {
    throw toDatabaseFault(error)
  }
}

async function assertMigrated(database: Database): Promise<void> {
  const pending = await listPending(database)
  if (pending.length === 0) return
  const sentence = `SEALWRIGHT_DATABASE_URL: the migrations ${pending.join(', ')} have not run; run "sealwright migrate".`
  throw new StartFault('DATABASE_NOT_MIGRATED', sentence)
}
