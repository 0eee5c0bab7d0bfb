// The end of an envelope's documents, in two steps that each stand a crash: first the envelope is marked, which no setting and no hold takes back,
// then the bytes go. A run that breaks off in between has deleted objects that nobody can ask for, and the next one deletes the rest.
import { recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import type { Core } from '#core/context.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { inTransaction } from '#core/postgres/client.ts'
import { release } from '#core/quota/reserve.ts'
import { StorageError } from '#core/storage/storage-error.ts'
import { type EndedEnvelope, listStorageKeys, lockEnded, lockToErase, markArchived, markErased } from './store.ts'

/** Envelopes of one batch. */
const MARKED_AT_ONCE = 200
const ERASED_AT_ONCE = 20

/** Envelopes of one run whose bytes the store would not give up, before something is wrong with more than them. */
const MOST_PASSED_OVER = 200

type SweepCore = Pick<Core, 'database' | 'keys' | 'settings' | 'storage' | 'log'>

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

/** What the store will not delete, such as an object under a lock of its own, is passed over, told in the log, and tried again by the next run. */
async function eraseArchived(core: SweepCore): Promise<number> {
  const passedOver: EnvelopeId[] = []
  for (;;) {
    const { erased, refused } = await eraseBatch(core, passedOver)
    passedOver.push(...refused)
    if (erased > 0 || refused.length === 0 || passedOver.length > MOST_PASSED_OVER) return erased
  }
}

async function eraseBatch(
  core: SweepCore,
  passedOver: readonly EnvelopeId[],
): Promise<{ erased: number; refused: EnvelopeId[] }> {
  return inTransaction(core.database, async (sql) => {
    const archived = await lockToErase(sql, ERASED_AT_ONCE, passedOver)
    const refused: EnvelopeId[] = []
    const freedBytes = new Map<OrgId, number>()
    for (const envelope of archived) {
      if (!(await deleteObjects(core, envelope, await listStorageKeys(sql, envelope)))) {
        refused.push(envelope.id)
        continue
      }
      const bytes = await markErased(sql, envelope)
      freedBytes.set(envelope.orgId, (freedBytes.get(envelope.orgId) ?? 0) + bytes)
    }
    // In one order, as in every sweep, so that no two wait for each other.
    for (const [orgId, bytes] of [...freedBytes].toSorted(([left], [right]) => left.localeCompare(right)))
      release(sql, orgId, { storageBytes: bytes })
    return { erased: archived.length - refused.length, refused }
  })
}

/** False when the store will not give up one of them; throws when it is away. */
async function deleteObjects(
  { storage, log }: SweepCore,
  { orgId, id }: EndedEnvelope,
  keys: readonly string[],
): Promise<boolean> {
  try {
    for (const key of keys) await storage.delete(key)
    return true
  } catch (err) {
    if (!(err instanceof StorageError) || isAway(err)) throw err
    log.error({ err, orgId, envelopeId: id }, 'erasure.failed')
    return false
  }
}

/** Whether it would be in vain to ask for other objects now. */
function isAway({ reason }: StorageError): boolean {
  return reason === 'unreachable' || reason === 'untrusted'
}
