// The controller's job that lets a restore be detected: it raises the watermark of the database, then that of the object store.
import type { SystemCore } from '#core/context.ts'
import { storeRolledBack } from '#core/platform/metrics/metrics.ts'
import type { ThrottledLog } from '#core/platform/process/throttled-log.ts'
import { compareWatermarks, describeBehind, type Watermarks } from './compare-watermarks.ts'
import { deleteStoredWatermark, incrementWatermark, listStoredWatermarks, storeWatermark } from './watermark-store.ts'

/** More than one, because a listing under way can miss one that is written meanwhile. */
const KEPT = 3

/** Raises both, or reports which one is behind and changes nothing, so that the difference stays until an operator accepts it. Returns 0, because one run
 *  does everything. Needs a database of the system role. */
export async function raiseWatermark(core: Pick<SystemCore, 'database' | 'storage'>, rolledBack: ThrottledLog): Promise<number> {
  const marks = await compareWatermarks(core)
  if (reportBehind(marks, rolledBack)) return 0
  const number = marks.database?.number ?? 0
  // After a failed write the same number is written again: the store would fall behind otherwise.
  const isStored = number === (marks.objects?.number ?? 0)
  const next = isStored ? await incrementWatermark(core.database, number) : number
  if (next === undefined) return 0
  await storeWatermark(core.storage, next)
  const earlier = (await listStoredWatermarks(core.storage)).slice(0, -KEPT)
  for (const mark of earlier) await deleteStoredWatermark(core.storage, mark.number)
  return 0
}

function reportBehind(marks: Watermarks, rolledBack: ThrottledLog): boolean {
  for (const store of ['database', 'objects'] as const) storeRolledBack.set({ store }, marks.behind === store ? 1 : 0)
  const sentence = describeBehind(marks)
  if (sentence === undefined) rolledBack.recovered()
  else rolledBack.report(sentence)
  return sentence !== undefined
}
