// Lists what Kubernetes has to be shown.
import type { StorelessCore } from '#core/context.ts'
import { selectChanges } from './change-store.ts'
import type { MirrorChange } from './mirror-change.ts'

/** At most `limit`, in the order of their latest change, beginning after `afterSeq`: what could not be shown yet does not hide the rest. */
export async function listChanges(
  { database }: Pick<StorelessCore, 'database'>,
  limit: number,
  afterSeq = 0,
): Promise<MirrorChange[]> {
  return selectChanges(database, limit, afterSeq)
}
