// Drops a draft with its documents. Only a draft: what was sent is history and is cancelled instead.
import { byCaller, recordAudit } from '#core/audit/record-audit.ts'
import type { Caller, Core } from '#core/context.ts'
import { listDocuments } from '#core/document/store.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { releaseOpenEnvelope, releaseStorage } from '#core/quota/reserve.ts'
import { lockEnvelopeFor } from './lock-for.ts'
import { nextStatus } from './rules.ts'
import { deleteEnvelope } from './store.ts'

/** The audit trail stays. Throws ENVELOPE_NOT_FOUND, ENVELOPE_NOT_DRAFT, Forbidden. */
export async function deleteDraft(
  core: Pick<Core, 'database' | 'keys' | 'storage'>,
  caller: Caller,
  id: EnvelopeId,
): Promise<void> {
  const { orgId } = caller
  await inOrganisation(core.database, orgId, async (sql) => {
    const envelope = await lockEnvelopeFor(sql, caller, id, 'envelope:create')
    nextStatus('edit', envelope.status)
    const documents = await listDocuments(sql, orgId, id)
    await recordAudit(sql, core.keys, orgId, id, { ...byCaller(caller), action: 'envelope.deleted' })
    await deleteEnvelope(sql, orgId, id)
    await releaseOpenEnvelope(sql, orgId)
    await releaseStorage(
      sql,
      orgId,
      documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    )
    // Within the transaction: a store that refuses leaves the draft as it was, to be dropped again.
    for (const { storageKey } of documents) await core.storage.delete(storageKey)
  })
}
