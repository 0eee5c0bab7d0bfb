// The API's readiness checks. A failed optional check leaves a part working: reads without a writable database, signing without uploads.
import type { SystemCore } from '#core/context.ts'
import { type Checks, optional } from '#core/platform/process/health-checks.ts'
import { coreChecks } from '#core/installation/health-checks.ts'
import { probeWritable } from '#core/platform/storage/files/probe-writable.ts'

/** `spoolDir` receives uploads. */
export function apiChecks(core: Pick<SystemCore, 'database' | 'storage'>, spoolDir: string): Checks {
  return { ...coreChecks(core, { changes: optional }), uploads: optional(() => probeWritable(spoolDir)) }
}
