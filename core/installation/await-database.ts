// A process may start before its database or before the migrations: it waits and logs what it waits for.
import type { Core } from '#core/context.ts'
import { claimKey } from './check-key.ts'
import type { ThrottledLog } from '#core/platform/process/throttled-log.ts'
import { retryStart } from '#core/platform/process/retry-start.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import type { Database } from '#core/platform/postgres/client.ts'
import { toDatabaseError } from '#core/platform/postgres/startup-error.ts'
import { listPending } from '#core/platform/postgres/migrate.ts'
import { isOwner } from '#core/platform/postgres/check-owner.ts'
import { assertServerVersion } from '#core/platform/postgres/check-server.ts'
import { assertGrants } from '#core/platform/postgres/check-grants.ts'
import { assertWritable } from '#core/platform/postgres/check-writable.ts'

/** What a start finds out about its database. */
export interface FoundDatabase {
  /** The user of the URL owns the tables, see `isOwner`. */
  ownsTables: boolean
}

/** Resolves when the database is reachable, migrated and set up with this key. Throws StartupError for an error that waiting cannot fix, and the
 *  signal's reason when stopped. */
export async function awaitDatabase(
  core: Pick<Core, 'database' | 'keys'>,
  awaited: ThrottledLog,
  signal: AbortSignal,
): Promise<FoundDatabase> {
  return retryStart(() => openInstallation(core), awaited, signal)
}

async function openInstallation(core: Pick<Core, 'database' | 'keys'>): Promise<FoundDatabase> {
  await tryDatabase(core.database)
  try {
    await claimKey(core)
    return { ownsTables: await isOwner(core.database) }
  } catch (error) {
    throw toDatabaseError(error)
  }
}

/** Throws StartupError unless the database is reachable, migrated and writable, and the role has its grants. */
export async function tryDatabase(database: Database): Promise<void> {
  try {
    await assertServerVersion(database)
    // Without grants it would look as if no migration had run.
    await assertGrants(database)
    await assertMigrated(database)
    await assertWritable(database)
  } catch (error) {
    throw toDatabaseError(error)
  }
}

async function assertMigrated(database: Database): Promise<void> {
  const pending = await listPending(database)
  if (pending.length === 0) return
  const sentence = `SEALWRIGHT_DATABASE_URL: migrations are pending (${pending.join(', ')}); run "sealwright migrate".`
  throw new StartupError('DATABASE_NOT_MIGRATED', sentence)
}
