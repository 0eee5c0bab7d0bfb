// Verifies one envelope's audit chain and returns the first bad row.
import type { Core } from '#core/context.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { checkChain } from './chain-walk.ts'
import { findHead, listAuditEvents } from './store.ts'

export interface ChainVerdict {
  rows: number
  /** Sequence number of the first row that was changed, moved or is missing. */
  firstBadSeq?: number
}

/** Recomputes every hash and MAC of the chain from the current rows. */
export async function verifyChain(
  core: Pick<Core, 'database' | 'keys'>,
  orgId: OrgId,
  envelopeId: EnvelopeId,
): Promise<ChainVerdict> {
  const { rows, head } = await inOrganisation(core.database, orgId, async (sql) => ({
    rows: await listAuditEvents(sql, orgId, envelopeId),
    head: await findHead(sql, orgId, envelopeId),
  }))
  const violation = await checkChain(core.keys, { orgId, envelopeId }, rows, head)
  return violation ? { rows: rows.length, firstBadSeq: violation.seq } : { rows: rows.length }
}
