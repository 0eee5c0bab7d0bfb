// What the API looks at when it is asked whether it is ready. It goes on with what is left: reads without changes, signing without uploads.
import type { SystemCore } from '#core/context.ts'
import { type Checks, helpful } from '#core/platform/process/health-checks.ts'
import { coreChecks } from '#core/installation/health-checks.ts'
import { tryToWrite } from '#core/platform/storage/files/probe-writable.ts'

/** `spoolDir` takes uploads while they are received. */
export function apiChecks(core: Pick<SystemCore, 'database' | 'storage'>, spoolDir: string): Checks {
  return { ...coreChecks(core, { changes: helpful }), uploads: helpful(() => tryToWrite(spoolDir)) }
}
