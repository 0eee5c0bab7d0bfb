// Deletes the bytes of archived envelopes. No transaction waits for the store: an interrupted run has deleted objects that are no longer reachable,
// and the next one deletes the rest.
import type { Core } from '#core/context.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { release } from '#core/account/quota/reserve.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { type EndedEnvelope, listStorageKeys, listToErase, lockToErase, markErased } from './store.ts'

/** Envelopes of one batch. */
const ERASED_AT_ONCE = 20

/** Envelopes per run whose bytes could not be deleted; more means a general error. */
const MOST_PASSED_OVER = 200

type EraseCore = Pick<Core, 'database' | 'storage' | 'log'>

/** Erases one batch and returns how many. An object that the store does not delete, for example under an object lock, is skipped, logged, and retried
 *  by the next run. Throws when the store is unavailable. */
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

/** False when the store does not delete one of them; throws when it is unavailable. */
async function deleteObjects(
  { storage, log }: EraseCore,
  { orgId, id }: EndedEnvelope,
  keys: readonly string[],
): Promise<boolean> {
  const deleted = await Promise.allSettled(keys.map((key) => storage.delete(key)))
  const errors = deleted.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  for (const err of errors) {
    if (!(err instanceof StorageError) || isAway(err)) throw err
    log.error({ err, orgId, envelopeId: id }, 'erasure.failed')
  }
  return errors.length === 0
}

/** False when there is more to delete than these keys, or nothing to record: a document was sealed meanwhile, or another sweep was first. */
async function recordErased({ database }: EraseCore, envelope: EndedEnvelope, keys: readonly string[]): Promise<boolean> {
  return inTransaction(database, async (sql) => {
    if (!(await lockToErase(sql, envelope))) return false
    const now = await listStorageKeys(sql, envelope)
    if (now.toSorted().join() !== keys.toSorted().join()) return false
    release(sql, envelope.orgId, { storageBytes: await markErased(sql, envelope) })
    return true
  })
}

/** Whether other requests would fail as well. */
function isAway({ reason }: StorageError): boolean {
  return reason === 'unreachable' || reason === 'untrusted'
}
