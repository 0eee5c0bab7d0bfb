// What every process asks of its parts. Only Postgres takes one out of service: without anything else there is something that it can still do.
import type { SystemCore } from '#core/context.ts'
import { toDatabaseFault } from '#core/postgres/database-fault.ts'
import { type Checks, helpful, needed } from './checks.ts'

/** The checks of the database and the object store. */
export function coreChecks({ database, storage }: Pick<SystemCore, 'database' | 'storage'>): Checks {
  return { database: needed(() => askDatabase(database)), storage: helpful(() => storage.check()) }
}

/** Throws one sentence while the database does not answer. */
export async function askDatabase(database: SystemCore['database']): Promise<void> {
  try {
    await database`select 1`
  } catch (error) {
    throw toDatabaseFault(error)
  }
}
