// An operator has decided that database and object store go on together as they are.
import type { SystemCore } from '#core/context.ts'
import { compareWatermarks, type Watermarks } from './compare-watermarks.ts'
import { replaceWatermark, storeWatermark } from './watermark-store.ts'

/** Sets both watermarks to the higher one; from then on the clean-up of objects without a row runs again. Returns what was compared. Needs a database of
 *  the system role. */
export async function acceptRestore(core: Pick<SystemCore, 'database' | 'storage'>): Promise<Watermarks> {
  const marks = await compareWatermarks(core)
  if (!marks.behind) return marks
  const number = Math.max(marks.database?.number ?? 0, marks.objects?.number ?? 0)
  await replaceWatermark(core.database, number)
  await storeWatermark(core.storage, number)
  return marks
}
