// Webhooks managed in Kubernetes whose objects have gone without a deletion: an older etcd was restored, or the CRD removed. They still get events.
import type { StorelessCore } from '#core/context.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { countOrphanedRows, setOrphaned } from './managed-store.ts'

/** Marks the webhooks of these objects; those that are marked keep their time. `applyManaged` and `adopt` take the mark away. Throws FencedError. */
export async function markOrphaned(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  uids: readonly string[],
  since: Date,
): Promise<void> {
  await inFencedTransaction(core, fence, (sql) => setOrphaned(sql, uids, since))
}

/** How many are marked. Needs the system role. */
export async function countOrphaned({ database }: Pick<StorelessCore, 'database'>): Promise<number> {
  return countOrphanedRows(database)
}
