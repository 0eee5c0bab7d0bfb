// A legal hold keeps an envelope's documents beyond their time, until an admin takes it away. It cannot bring back what has ended.
import { byCaller, recordAudit } from '#core/audit/record-audit.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { lockEnvelopeFor } from '#core/envelope/lock-for.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { findRetention, setHold } from './store.ts'

/** Since when the hold stands, null without one; doing the same twice changes nothing.
 *  Throws ENVELOPE_NOT_FOUND, and for a draft or an archived envelope ENVELOPE_CANNOT_BE_HELD. */
export async function holdEnvelope(
  core: Pick<Core, 'database' | 'keys' | 'settings'>,
  caller: PersonCaller,
  id: EnvelopeId,
  { held }: { held: boolean },
): Promise<Date | null> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const { status } = await lockEnvelopeFor(sql, caller, id, 'envelope:read')
    const { archived } = await findRetention(sql, orgId, id, core.settings)
    if (held && (status === 'DRAFT' || archived)) throw new DomainError('ENVELOPE_CANNOT_BE_HELD')
    const { heldAt, changed } = await setHold(sql, orgId, id, held)
    const action = held ? 'legal_hold.set' : 'legal_hold.released'
    if (changed) await recordAudit(sql, core.keys, orgId, id, { ...byCaller(caller), action })
    return heldAt
  })
}
