// Whether the new version can use the database, before it changes anything there.
import { assertServerVersion } from '#core/platform/postgres/check-server.ts'
import { assertWritable } from '#core/platform/postgres/check-writable.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { listPending } from '#core/platform/postgres/migrate.ts'
import { toDatabaseError } from '#core/platform/postgres/startup-error.ts'

/** The migrations that the upgrade will apply. Throws StartupError for a server that is unreachable, too old or read-only, and for a schema that is newer
 *  than this version. */
export async function checkDatabase(url: string): Promise<string[]> {
  const database = openDatabase({ url, pool: 1 })
  try {
    await assertServerVersion(database)
    await assertWritable(database)
    return await listPending(database)
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    await database.end({ timeout: 5 })
  }
}
