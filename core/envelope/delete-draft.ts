// Deletes a draft with its documents. Sent envelopes are cancelled instead.
import { byCaller } from '#core/audit/record-audit.ts'
import type { Caller, Core } from '#core/context.ts'
import { discardObjects } from '#core/envelope/document/discard-objects.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { release } from '#core/account/quota/reserve.ts'
import { lockEnvelopeForChange } from './lock-for-change.ts'
import { removeDraft } from './remove-draft.ts'
import { nextStatus } from './rules.ts'

/** The audit trail stays. Throws ENVELOPE_NOT_FOUND, ENVELOPE_NOT_DRAFT, ForbiddenError. */
export async function deleteDraft(
  core: Pick<Core, 'database' | 'keys' | 'storage' | 'log'>,
  caller: Caller,
  id: EnvelopeId,
): Promise<void> {
  const { orgId } = caller
  const storageKeys = await inOrganisation(core.database, orgId, async (sql) => {
    const envelope = await lockEnvelopeForChange(sql, caller, id, 'envelope:create')
    nextStatus('edit', envelope.status)
    const { bytes, storageKeys } = await removeDraft(sql, core.keys, orgId, id, byCaller(caller))
    release(sql, orgId, { openEnvelopes: 1, storageBytes: bytes })
    return storageKeys
  })
  await discardObjects(core, storageKeys)
}
