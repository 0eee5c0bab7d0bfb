// The start of a tier says when a leak of its database URL would give away more than its role may do.
import type { OpenedStorelessCore } from './open-core.ts'

const REASON =
  'SEALWRIGHT_DATABASE_URL: the user owns the tables. It works, but code that runs in this process could change the schema and read every organisation; give the component a user of its own (docs/installation.md).'

/** Logs a warning; the process goes on. */
export function warnOfOwner({ ownsTables, log }: Pick<OpenedStorelessCore, 'ownsTables' | 'log'>): void {
  if (ownsTables) log.warn({ reason: REASON }, 'database.user_owns_tables')
}
