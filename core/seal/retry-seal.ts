// Tries an envelope again that failed to be sealed, with its attempts counted anew.
import { recordOperatorEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core } from '#core/context.ts'
import { findEnvelopeOwner } from '#core/envelope/store.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { sealMessage } from '#core/work/request-seal.ts'
import { resetSeal } from './store.ts'

/** False when the envelope has nothing left to seal. Throws when there is no such envelope. Needs a database of the system role. */
export async function retrySeal(core: Pick<Core, 'database'>, envelopeId: EnvelopeId): Promise<boolean> {
  return inTransaction(core.database, async (sql) => {
    const orgId = await findEnvelopeOwner(sql, envelopeId)
    if (!orgId) throw new DomainError('ENVELOPE_NOT_FOUND')
    const intent = await resetSeal(sql, orgId, envelopeId)
    if (!intent) return false
    await insertOutbox(sql, orgId, { ...sealMessage(orgId, envelopeId), ...intent })
    await recordOperatorEvent(sql, orgId, { action: 'seal.retried', detail: { envelopeId } })
    return true
  })
}
