// The module of the inspection processes: an upload is inspected, its earlier signatures are checked and its missing appearances drawn, which core/pdf
// cannot do.
import { inspect as inspectWith, type InspectionAnswer, type InspectionTask } from '#core/pdf/upload/inspect-thread.ts'
import { refuseBrokenSignatures } from './refuse-broken.ts'

/** For openInspectionPool. */
export const UPLOAD_THREAD = new URL(import.meta.url)

export function inspect(task: InspectionTask): Promise<InspectionAnswer> {
  return inspectWith(task, { checkSignatures: refuseBrokenSignatures, drawAppearances })
}

/** Loaded on demand: fonts and their shaper take memory, and few forms need them. */
async function drawAppearances(bytes: Buffer): Promise<Buffer> {
  const fields = await import('#core/appearance/fields/draw-appearances.ts')
  return fields.drawAppearances(bytes)
}
