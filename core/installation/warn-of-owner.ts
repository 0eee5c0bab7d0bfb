// The start of a tier says when a leak of its database URL would give away more than its role may do.
import type { StorelessCore } from '#core/context.ts'
import { isOwner } from '#core/platform/postgres/check-owner.ts'

const REASON =
  'SEALWRIGHT_DATABASE_URL: the user owns the tables. It works, but code that runs in this process could change the schema and read every organisation; give the component a user of its own (docs/installation.md).'

/** Logs a warning; the process goes on. */
export async function warnOfOwner({ database, log }: Pick<StorelessCore, 'database' | 'log'>): Promise<void> {
  if (await isOwner(database)) log.warn({ reason: REASON }, 'database.user_owns_tables')
}
