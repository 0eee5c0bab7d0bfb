// Uploads that nobody attached within their time are deleted, and so are rows whose bytes never arrived.
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/postgres/client.ts'
import { releaseStorage } from '#core/quota/reserve.ts'
import { deleteDocument, lockUnattached } from './store.ts'

const BATCH = 100

/** Deletes one batch and answers how many there were. Needs a database of the system role. */
export async function deleteUnattached(core: Pick<Core, 'database' | 'storage' | 'settings'>): Promise<number> {
  return inTransaction(core.database, async (sql) => {
    const uploads = await lockUnattached(sql, core.settings.unattachedUploadTtlSeconds, BATCH)
    for (const { orgId, id, storageKey } of uploads) {
      await core.storage.delete(storageKey)
      const deleted = await deleteDocument(sql, orgId, id)
      if (deleted) await releaseStorage(sql, orgId, deleted.sizeBytes)
    }
    return uploads.length
  })
}
