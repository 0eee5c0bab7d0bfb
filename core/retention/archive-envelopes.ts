// The end of an envelope's documents, in two steps that each stand a crash: first the envelope is marked, which no setting and no hold takes back,
// then the bytes go. A run that breaks off in between has deleted objects that nobody can ask for, and the next one deletes the rest.
import { recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { inTransaction } from '#core/postgres/client.ts'
import { release } from '#core/quota/reserve.ts'
import { listStorageKeys, lockEnded, lockToErase, markArchived, markErased } from './store.ts'

/** Envelopes of one batch. */
const MARKED_AT_ONCE = 200
const ERASED_AT_ONCE = 20

type SweepCore = Pick<Core, 'database' | 'keys' | 'settings' | 'storage'>

/** Takes one batch through each step and answers how much was done. Envelope, signers and audit trail stay. Needs a database of the system role. */
export async function archiveEnvelopes(core: SweepCore): Promise<number> {
  return (await markEnded(core)) + (await eraseArchived(core))
}

async function markEnded({ database, keys, settings }: SweepCore): Promise<number> {
  return inTransaction(database, async (sql) => {
    const ended = await lockEnded(sql, settings.sealedRetentionSeconds, MARKED_AT_ONCE)
    for (const envelope of ended) {
      await markArchived(sql, envelope)
      await recordAudit(sql, keys, envelope.orgId, envelope.id, { ...SYSTEM, action: 'envelope.archived' })
    }
    return ended.length
  })
}

async function eraseArchived({ database, storage }: SweepCore): Promise<number> {
  return inTransaction(database, async (sql) => {
    const archived = await lockToErase(sql, ERASED_AT_ONCE)
    const freedBytes = new Map<OrgId, number>()
    for (const envelope of archived) {
      for (const key of await listStorageKeys(sql, envelope)) await storage.delete(key)
      const bytes = await markErased(sql, envelope)
      freedBytes.set(envelope.orgId, (freedBytes.get(envelope.orgId) ?? 0) + bytes)
    }
    // In one order, as in every sweep, so that no two wait for each other.
    for (const [orgId, bytes] of [...freedBytes].toSorted(([left], [right]) => left.localeCompare(right)))
      release(sql, orgId, { storageBytes: bytes })
    return archived.length
  })
}
