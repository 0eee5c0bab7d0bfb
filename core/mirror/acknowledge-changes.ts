// Kubernetes shows these changes.
import type { StorelessCore } from '#core/context.ts'
import { deleteChanges } from './change-store.ts'
import type { Fence } from './fence.ts'
import { inFencedTransaction } from './in-fenced-transaction.ts'
import type { MirrorChange } from './mirror-change.ts'

/** Removes them from the list, except objects that have changed again since it was read; returns how many. Throws FencedError. */
export async function acknowledgeChanges(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  changes: readonly Pick<MirrorChange, 'kind' | 'id' | 'seq'>[],
): Promise<number> {
  return changes.length === 0 ? 0 : inFencedTransaction(core, fence, (sql) => deleteChanges(sql, changes))
}
