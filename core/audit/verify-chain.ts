// Walks an envelope's audit chain and names the first row that does not fit.
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/crypto/installation-keys.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { auditHash, CHAIN_START } from './rules.ts'
import { listAuditEvents } from './store.ts'

export interface ChainVerdict {
  rows: number
  /** Sequence number of the first row that was changed, moved or stands after a gap. */
  firstBadSeq?: number
}

/** Recomputes every hash of the chain from what the rows say now. */
export async function verifyChain(core: Pick<Core, 'database'>, orgId: OrgId, envelopeId: EnvelopeId): Promise<ChainVerdict> {
  const rows = await inOrganisation(core.database, orgId, (sql) => listAuditEvents(sql, orgId, envelopeId))
  let previous: Buffer = CHAIN_START
  for (const [index, { previousHash, hash, ...content }] of rows.entries()) {
    const fits =
      content.seq === index + 1 && equalSecrets(previousHash, previous) && equalSecrets(hash, auditHash(previous, content))
    if (!fits) return { rows: rows.length, firstBadSeq: content.seq }
    previous = hash
  }
  return { rows: rows.length }
}
