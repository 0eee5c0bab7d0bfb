// The module of the inspection processes: an upload is inspected, and its earlier signatures are checked, which core/pdf cannot do.
import { inspect as inspectWith, type InspectionAnswer, type InspectionTask } from '#core/pdf/inspect/inspect-thread.ts'
import { refuseBrokenSignatures } from './refuse-broken.ts'

/** For openInspectionPool. */
export const UPLOAD_THREAD = new URL(import.meta.url)

export function inspect(task: InspectionTask): Promise<InspectionAnswer> {
  return inspectWith(task, refuseBrokenSignatures)
}
