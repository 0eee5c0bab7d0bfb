// The Secret of a version that nothing uses any more is deleted.
import type { StorelessCore } from '#core/context.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { deleteMaterialRow } from './version-store.ts'

/** Records that the material of a released version is gone; its certificate stays. Nothing for a version that is in use. Throws FencedError. */
export async function deleteMaterial(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  { keyId, version }: { keyId: string; version: number },
): Promise<void> {
  await inFencedTransaction(core, fence, (sql) => deleteMaterialRow(sql, keyId, version))
}
