// One envelope as its organisation sees it.
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { queryInOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { selectEnvelopeView, toEnvelopeView, type EnvelopeView, type EnvelopeViewRow } from './envelope-view-store.ts'

export interface Envelope extends EnvelopeView {
  orgId: OrgId
}

/** Throws ENVELOPE_NOT_FOUND, also for one in a workspace that the caller cannot read. */
export async function getEnvelope(core: Pick<Core, 'database'>, caller: Caller, id: EnvelopeId): Promise<Envelope> {
  return toEnvelope(caller, await queryInOrganisation(core.database, caller.orgId, (sql) => selectEnvelopeView(sql, caller, id)))
}

/** Reads the envelope within a transaction. */
export async function readEnvelope(sql: Sql, caller: Caller, id: EnvelopeId): Promise<Envelope> {
  return toEnvelope(caller, await selectEnvelopeView(sql, caller, id))
}

function toEnvelope({ orgId }: Caller, [row]: readonly EnvelopeViewRow[]): Envelope {
  if (!row) throw new DomainError('ENVELOPE_NOT_FOUND')
  return { ...toEnvelopeView(row), orgId }
}
