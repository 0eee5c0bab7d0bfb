// What the API looks at when it is asked whether it is ready. It goes on with what is left: reads without changes, signing without uploads.
import type { SystemCore } from '#core/context.ts'
import { type Checks, optional } from '#core/platform/process/health-checks.ts'
import { coreChecks } from '#core/installation/health-checks.ts'
import { probeWritable } from '#core/platform/storage/files/probe-writable.ts'

/** `spoolDir` takes uploads while they are received. */
export function apiChecks(core: Pick<SystemCore, 'database' | 'storage'>, spoolDir: string): Checks {
  return { ...coreChecks(core, { changes: optional }), uploads: optional(() => probeWritable(spoolDir)) }
}
