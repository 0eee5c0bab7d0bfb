// Deletes the bytes of archived envelopes. No transaction waits for the store: a run that breaks off has deleted objects that nobody can ask for, and
// the next one deletes the rest.
import type { Core } from '#core/context.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { release } from '#core/account/quota/reserve.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { type EndedEnvelope, listStorageKeys, listToErase, lockToErase, markErased } from './store.ts'

/** Envelopes of one batch. */
const ERASED_AT_ONCE = 20

/** Envelopes of one run whose bytes the store would not give up, before something is wrong with more than them. */
const MOST_PASSED_OVER = 200

type EraseCore = Pick<Core, 'database' | 'storage' | 'log'>

/** Erases one batch and answers how many there were. What the store will not delete, such as an object under a lock of its own, is passed over, told
 *  in the log, and tried again by the next run. Throws when the store is away. */
export async function eraseArchived(core: EraseCore): Promise<number> {
  const passedOver: EnvelopeId[] = []
  for (;;) {
    const archived = await listToErase(core.database, ERASED_AT_ONCE, passedOver)
    let erased = 0
    for (const envelope of archived) {
      if (await erase(core, envelope)) erased++
      else passedOver.push(envelope.id)
    }
    if (erased > 0 || archived.length === 0 || passedOver.length > MOST_PASSED_OVER) return erased
  }
}

async function erase(core: EraseCore, envelope: EndedEnvelope): Promise<boolean> {
  const keys = await listStorageKeys(core.database, envelope)
  return (await deleteObjects(core, envelope, keys)) && (await recordErased(core, envelope, keys))
}

/** False when the store will not give up one of them; throws when it is away. */
async function deleteObjects(
  { storage, log }: EraseCore,
  { orgId, id }: EndedEnvelope,
  keys: readonly string[],
): Promise<boolean> {
  const deleted = await Promise.allSettled(keys.map((key) => storage.delete(key)))
  const faults = deleted.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  for (const err of faults) {
    if (!(err instanceof StorageError) || isAway(err)) throw err
    log.error({ err, orgId, envelopeId: id }, 'erasure.failed')
  }
  return faults.length === 0
}

/** False when there is more to delete than these keys, or nothing to record: a document was sealed meanwhile, or another sweep was here. */
async function recordErased({ database }: EraseCore, envelope: EndedEnvelope, keys: readonly string[]): Promise<boolean> {
  return inTransaction(database, async (sql) => {
    if (!(await lockToErase(sql, envelope))) return false
    const now = await listStorageKeys(sql, envelope)
    if (now.toSorted().join() !== keys.toSorted().join()) return false
    release(sql, envelope.orgId, { storageBytes: await markErased(sql, envelope) })
    return true
  })
}

/** Whether it would be in vain to ask for other objects now. */
function isAway({ reason }: StorageError): boolean {
  return reason === 'unreachable' || reason === 'untrusted'
}
