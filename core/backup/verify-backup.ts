// Checks after a restore that database, object store and custom resources are of the same time, and names what each of them lacks.
import type { SystemCore } from '#core/context.ts'
import { compareWatermarks, type Watermarks } from '#core/installation/compare-watermarks.ts'
import { checkCustomResources } from './check-custom-resources.ts'
import { checkObjects, type ObjectCounts } from './check-objects.ts'
import { checkRows, type RowCounts } from './check-rows.ts'
import type { CustomResources } from './list-shown-versions.ts'
import type { Found } from './problem.ts'

export interface VerifyOptions {
  /** Also reads all bytes and compares their SHA-256. */
  content: boolean
  /** Absent: without Kubernetes. */
  customResources?: CustomResources | undefined
  found: Found
}

export interface BackupCounts extends RowCounts, ObjectCounts {
  /** Null without Kubernetes. */
  customResources: number | null
}

export interface BackupVerdict {
  watermarks: Watermarks
  counts: BackupCounts
}

const TOLERATED_SKEW_MS = 60_000

/** Changes nothing, and holds one page of rows or objects at a time. The service may run. Needs a database of the system role. */
export async function verifyBackup(
  core: Pick<SystemCore, 'database' | 'storage'>,
  { content, customResources, found }: VerifyOptions,
): Promise<BackupVerdict> {
  const watermarks = await compareWatermarks(core)
  reportBehind(watermarks, found)
  // Before the long part, because the API server may refuse.
  const resources = customResources ? await checkCustomResources(core, customResources, found) : null
  // A controller that was down raised no watermark: what came after the last one cannot be distinguished from what a restore lost.
  const raisedAt = watermarks.database?.raisedAt.getTime() ?? 0
  const objects = await checkObjects(core, new Date(Math.max(0, raisedAt - TOLERATED_SKEW_MS)), found)
  const rows = await checkRows(core, { content }, found)
  return { watermarks, counts: { ...rows, ...objects, customResources: resources } }
}

function reportBehind({ behind, database, objects }: Watermarks, found: Found): void {
  const of = (mark: Watermarks['database']): string => (mark ? `of ${mark.raisedAt.toISOString()}` : 'missing')
  if (!behind) return
  found({
    kind: behind === 'database' ? 'DATABASE_BEHIND' : 'OBJECTS_BEHIND',
    subject: null,
    message: `the watermark of the database is ${of(database)}, that of the object store ${of(objects)}`,
  })
}
