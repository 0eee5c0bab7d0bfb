// One envelope as its organisation sees it.
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { inOrganisation, type Sql } from '#core/postgres/client.ts'
import type { Signer } from '#core/signer/signer.ts'
import { listSigners } from '#core/signer/store.ts'
import { findReadableEnvelope, type ReadableEnvelope } from './store.ts'

export interface Envelope extends ReadableEnvelope {
  orgId: OrgId
  signers: Signer[]
}

/** Throws ENVELOPE_NOT_FOUND, also for one in a workspace that the caller cannot read. */
export async function getEnvelope(core: Pick<Core, 'database'>, caller: Caller, id: EnvelopeId): Promise<Envelope> {
  return inOrganisation(core.database, caller.orgId, (sql) => readEnvelope(sql, caller, id))
}

/** The same within a transaction. */
export async function readEnvelope(sql: Sql, caller: Caller, id: EnvelopeId): Promise<Envelope> {
  const [envelope, signers] = await Promise.all([findReadableEnvelope(sql, caller, id), listSigners(sql, caller.orgId, [id])])
  if (!envelope) throw new DomainError('ENVELOPE_NOT_FOUND')
  return { ...envelope, orgId: caller.orgId, signers }
}
