// Cancels a sent envelope for good: links stop working, no signer can sign, and receivers get an event. Spec, operation cancelEnvelope.
import { byCaller } from '#core/audit/record-audit.ts'
import type { Caller, Core } from '#core/context.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { endEnvelope } from './end-envelope.ts'
import { lockEnvelopeForChange } from './lock-for-change.ts'
import { nextStatus } from './rules.ts'

/** Throws ENVELOPE_NOT_FOUND, ENVELOPE_NOT_CANCELLABLE, ForbiddenError. */
export async function cancelEnvelope(core: Pick<Core, 'database' | 'keys'>, caller: Caller, id: EnvelopeId): Promise<void> {
  await inOrganisation(core.database, caller.orgId, async (sql) => {
    const envelope = await lockEnvelopeForChange(sql, caller, id, 'envelope:cancel')
    nextStatus('cancel', envelope.status)
    await endEnvelope(sql, core.keys, caller.orgId, envelope, 'CANCELLED', byCaller(caller))
  })
}
