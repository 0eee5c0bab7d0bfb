// Forgets a stored upload that became nobody's document: bytes with the row, so that a crash in between leaves work for the sweep, not lost room.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { release } from '#core/quota/reserve.ts'
import type { StoredUpload } from './document.ts'
import { deleteUnstored } from './store.ts'

/** Does nothing when it has become a document or is gone already. */
export async function discardUpload(
  core: Pick<Core, 'database' | 'storage'>,
  orgId: OrgId,
  { id, storageKey }: StoredUpload,
): Promise<void> {
  await inOrganisation(core.database, orgId, async (sql) => {
    const deleted = await deleteUnstored(sql, orgId, id)
    if (!deleted) return
    // Within the transaction: a store that refuses rolls the row's deletion back, and the sweep tries again.
    await core.storage.delete(storageKey)
    release(sql, orgId, { storageBytes: deleted.sizeBytes })
  })
}
