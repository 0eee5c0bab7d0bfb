// Deletes a stored upload that did not become a document.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { release } from '#core/account/quota/reserve.ts'
import { discardObjects } from './discard-objects.ts'
import type { StoredUpload } from './document.ts'
import { deleteUnstored } from './store.ts'

/** Has no effect when it has become a document or is already deleted. */
export async function discardUpload(
  core: Pick<Core, 'database' | 'storage' | 'log'>,
  orgId: OrgId,
  { id, storageKey }: Pick<StoredUpload, 'id' | 'storageKey'>,
): Promise<void> {
  const wasThere = await inOrganisation(core.database, orgId, async (sql) => {
    const deleted = await deleteUnstored(sql, orgId, id)
    if (deleted) release(sql, orgId, { storageBytes: deleted.sizeBytes })
    return deleted !== undefined
  })
  // Outside the transaction, because an unavailable store responds slowly.
  if (wasThere) await discardObjects(core, [storageKey])
}
