// The Kubernetes object of a signing key is being deleted, or has disappeared.
import type { StorelessCore } from '#core/context.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { retireWithVersions } from './retire-with-versions.ts'
import { countOrphanedRows, forgetKeyObject, lockKey, markOrphanedKeys } from './key-store.ts'

/** Retires the key of a deleted object. Nothing for an unknown one. Throws FencedError. */
export async function deleteManagedKey(core: Pick<StorelessCore, 'database'>, fence: Fence, uid: string): Promise<void> {
  await inFencedTransaction(core, fence, async (sql) => {
    const key = await lockKey(sql, { uid })
    if (!key) return
    await retireWithVersions(sql, key.id)
    await forgetKeyObject(sql, key.id)
  })
}

/** Marks keys whose object disappeared without a deletion; they go on sealing. Returns how many were not marked before. Throws FencedError. */
export async function markOrphanedSigningKeys(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  uids: readonly string[],
): Promise<number> {
  return inFencedTransaction(core, fence, (sql) => markOrphanedKeys(sql, uids))
}

/** How many keys are marked. Needs the system role. */
export async function countOrphanedSigningKeys({ database }: Pick<StorelessCore, 'database'>): Promise<number> {
  return countOrphanedRows(database)
}
