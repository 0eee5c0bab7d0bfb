// What every process asks of its parts. Only Postgres takes one out of service: without anything else there is something that it can still do.
import type { StorelessCore, SystemCore } from '#core/context.ts'
import { probeOf } from '#core/platform/postgres/client.ts'
import { toDatabaseError } from '#core/platform/postgres/startup-error.ts'
import { assertWritable } from '#core/platform/postgres/check-writable.ts'
import { type Checks, optional, required } from '#core/platform/process/health-checks.ts'

interface CheckOptions {
  /** Helpful to a process that has something to do on a database that can only be read. */
  changes: typeof required | typeof optional
}

/** The checks of the database and the object store. */
export function coreChecks(core: Pick<SystemCore, 'database' | 'storage'>, options: CheckOptions): Checks {
  return { ...databaseChecks(core, options), ...storageChecks(core) }
}

/** Those of a process without a need of the object store. */
export function databaseChecks({ database }: Pick<StorelessCore, 'database'>, { changes }: CheckOptions): Checks {
  const probe = probeOf(database)
  return {
    database: required(() => askDatabase(() => probe`select 1`)),
    changes: changes(() => askDatabase(() => assertWritable(probe))),
  }
}

/** That of the object store alone. */
export function storageChecks({ storage }: Pick<SystemCore, 'storage'>): Checks {
  return { storage: optional(() => storage.check()) }
}

/** Throws one sentence while the database does not answer, or not as it should. */
async function askDatabase(ask: () => PromiseLike<unknown>): Promise<void> {
  try {
    await ask()
  } catch (error) {
    throw toDatabaseError(error)
  }
}
