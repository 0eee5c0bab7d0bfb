// Deletes uploads that were not attached in time, and rows whose bytes never arrived.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { release } from '#core/account/quota/reserve.ts'
import { discardObjects } from './discard-objects.ts'
import { deleteDocument, lockUnattached } from './store.ts'

const BATCH = 100

/** Deletes one batch and returns how many. Needs a database of the system role. */
export async function deleteUnattached(core: Pick<Core, 'database' | 'storage' | 'settings' | 'log'>): Promise<number> {
  const uploads = await inTransaction(core.database, async (sql) => {
    const uploads = await lockUnattached(sql, core.settings.unattachedUploadTtlSeconds, BATCH)
    const freedBytes = new Map<OrgId, number>()
    for (const { orgId, id } of uploads) {
      const deleted = await deleteDocument(sql, orgId, id)
      if (deleted) freedBytes.set(orgId, (freedBytes.get(orgId) ?? 0) + deleted.sizeBytes)
    }
    // In one order, so that concurrent sweeps never deadlock.
    const byOrganisation = [...freedBytes].toSorted(([left], [right]) => left.localeCompare(right))
    for (const [orgId, bytes] of byOrganisation) release(sql, orgId, { storageBytes: bytes })
    return uploads
  })
  const storageKeys = uploads.map(({ storageKey }) => storageKey)
  await discardObjects(core, storageKeys)
  return uploads.length
}
