// Walks one envelope's audit chain and names the first row that does not fit.
import type { Core } from '#core/context.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { faultOfChain } from './chain-walk.ts'
import { findHead, listAuditEvents } from './store.ts'

export interface ChainVerdict {
  rows: number
  /** Sequence number of the first row that was changed, moved or is missing. */
  firstBadSeq?: number
}

/** Recomputes every hash and MAC of the chain from what the rows say now. */
export async function verifyChain(
  core: Pick<Core, 'database' | 'keys'>,
  orgId: OrgId,
  envelopeId: EnvelopeId,
): Promise<ChainVerdict> {
  const { rows, head } = await inOrganisation(core.database, orgId, async (sql) => ({
    rows: await listAuditEvents(sql, orgId, envelopeId),
    head: await findHead(sql, orgId, envelopeId),
  }))
  const fault = await faultOfChain(core.keys, { orgId, envelopeId }, rows, head)
  return fault ? { rows: rows.length, firstBadSeq: fault.seq } : { rows: rows.length }
}
