// A legal hold keeps an envelope's documents beyond their retention, until an admin releases it. It cannot restore archived documents.
import { byCaller, recordAudit } from '#core/audit/record-audit.ts'
import type { AuditAction } from '#core/audit/rules.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { lockEnvelopeForChange } from '#core/envelope/lock-for-change.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { clearHold, findHold, findRetention, insertHold } from './store.ts'

type HoldCore = Pick<Core, 'database' | 'keys' | 'settings'>

/** The start of the hold; an existing hold stays unchanged. Throws ENVELOPE_NOT_FOUND, and for a draft or an archived envelope ENVELOPE_CANNOT_BE_HELD. */
export async function setLegalHold(core: HoldCore, caller: PersonCaller, id: EnvelopeId): Promise<Date> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const { status } = await lockEnvelopeForChange(sql, caller, id, 'envelope:read')
    const { archived } = await findRetention(sql, orgId, id, core.settings)
    if (status === 'DRAFT' || archived) throw new DomainError('ENVELOPE_CANNOT_BE_HELD')
    const standing = await findHold(sql, orgId, id)
    if (standing) return standing
    await record(sql, core, caller, id, 'legal_hold.set')
    return insertHold(sql, orgId, id)
  })
}

/** Has no effect without a hold. Throws ENVELOPE_NOT_FOUND. */
export async function releaseLegalHold(core: HoldCore, caller: PersonCaller, id: EnvelopeId): Promise<void> {
  const { orgId } = caller
  await inOrganisation(core.database, orgId, async (sql) => {
    await lockEnvelopeForChange(sql, caller, id, 'envelope:read')
    if (!(await findHold(sql, orgId, id))) return
    await record(sql, core, caller, id, 'legal_hold.released')
    await clearHold(sql, orgId, id)
  })
}

async function record(sql: Sql, { keys }: HoldCore, caller: PersonCaller, id: EnvelopeId, action: AuditAction): Promise<void> {
  await recordAudit(sql, keys, caller.orgId, id, { ...byCaller(caller), action })
}
