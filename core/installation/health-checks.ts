// The health checks of every process. Only Postgres is required: without any other dependency part of the work still gets done.
import type { StorelessCore, SystemCore } from '#core/context.ts'
import { probeOf } from '#core/platform/postgres/client.ts'
import { toDatabaseError } from '#core/platform/postgres/startup-error.ts'
import { assertWritable } from '#core/platform/postgres/check-writable.ts'
import { type Checks, optional, required } from '#core/platform/process/health-checks.ts'

interface CheckOptions {
  /** Optional for a process that still has work to do on a read-only database. */
  changes: typeof required | typeof optional
}

/** The checks of the database and the object store. */
export function coreChecks(core: Pick<SystemCore, 'database' | 'storage'>, options: CheckOptions): Checks {
  return { ...databaseChecks(core, options), ...storageChecks(core) }
}

/** The checks of a process that needs no object store. */
export function databaseChecks({ database }: Pick<StorelessCore, 'database'>, { changes }: CheckOptions): Checks {
  const probe = probeOf(database)
  return {
    database: required(() => askDatabase(() => probe`select 1`)),
    changes: changes(() => askDatabase(() => assertWritable(probe))),
  }
}

/** The check of the object store alone. */
export function storageChecks({ storage }: Pick<SystemCore, 'storage'>): Checks {
  return { storage: optional(() => storage.check()) }
}

/** Throws one sentence while the database is unreachable or misconfigured. */
async function askDatabase(ask: () => PromiseLike<unknown>): Promise<void> {
  try {
    await ask()
  } catch (error) {
    throw toDatabaseError(error)
  }
}
