// The end of a sweep of any kind: what it found is queued, unless so much is missing that it is more likely an accident than intended.
import type { ShownObject } from '../resource/shown-status.ts'
import { keyOf } from '../runtime/stored-object.ts'
import type { WorkQueue } from '../runtime/work-queue.ts'
import type { KindContext } from './kind-context.ts'
import type { SweepReport } from './kind.ts'
import type { LossGuard } from './loss-guard.ts'

export interface Sweep<T extends ShownObject, Context extends KindContext<T>> {
  context: Context
  queue: WorkQueue
  guard: LossGuard
  /** Most objects that show rows. */
  mirrorMax: number
}

export interface SweepFindings<T> {
  /** Rows that objects are to show. */
  projected: number
  /** Rows whose objects, managed in Kubernetes, are there. */
  managed: number
  /** Objects managed in Kubernetes that their rows miss. */
  lost: { key: string; uid: string }[]
  orphans: SweepReport['orphans']
  objects: readonly T[]
  /** Objects without rows. */
  rowless: readonly T[]
}

/** What rows and objects are called, as ends of sentences that begin with a number. */
export interface SweepWords {
  missingRows: string
  missingObjects: string
  notShown: string
}

/** Objects without rows are deleted, and rows without objects marked, by the reconciles that this queues. */
export async function finishSweep<T extends ShownObject, Context extends KindContext<T>>(
  { context, queue, guard, mirrorMax }: Sweep<T, Context>,
  { projected, managed, lost, orphans, objects, rowless }: SweepFindings<T>,
  { missingRows, missingObjects, notShown }: SweepWords,
): Promise<SweepReport> {
  const isProjected = ({ spec }: T) => spec.origin === 'API'
  await guard.judge(
    [
      { what: missingRows, missing: rowless.filter(isProjected).length, known: objects.filter(isProjected).length },
      { what: missingObjects, missing: lost.length, known: managed + lost.length },
    ],
    context.leadership.acceptedLoss,
  )
  for (const { key, uid } of lost) {
    context.vanished.add(key, uid)
    queue.add(key, 'resync')
  }
  for (const object of rowless) queue.add(keyOf(object), 'resync')
  const beyond = projected - mirrorMax
  const limit = `${beyond} ${notShown}: SEALWRIGHT_MIRROR_MAX is ${mirrorMax}. They work as the others do.`
  return { orphans, problems: [...guard.problems(), ...(beyond > 0 ? [limit] : [])] }
}
