// The audit trail of one envelope for callers who may read the envelope; every read verifies the chain.
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { findReadableEnvelope, type ReadableEnvelope } from '#core/envelope/store.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { readInOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { type ChainRow, checkChain } from '#core/audit/chain-walk.ts'
import { findHead, listAuditEvents } from '#core/audit/store.ts'

export interface CheckedChain {
  /** Every row is unchanged and in its place, and none is missing. */
  valid: boolean
  rows: number
  /** Hex; empty without a row. */
  headHash: string
  /** Sequence number of the first row that was changed, moved or is missing. */
  firstBadSeq?: number
}

export interface CheckedTrail {
  chain: CheckedChain
  /** Oldest first. */
  events: ChainRow[]
}

export interface AuditTrail extends CheckedTrail {
  envelope: ReadableEnvelope
}

type TrailCore = Pick<Core, 'database' | 'keys'>

/** Throws ENVELOPE_NOT_FOUND. */
export async function getAuditTrail(core: TrailCore, caller: Caller, id: EnvelopeId): Promise<AuditTrail> {
  return readInOrganisation(core.database, caller.orgId, async (sql) => {
    const envelope = await findReadableEnvelope(sql, caller, id)
    if (!envelope) throw new DomainError('ENVELOPE_NOT_FOUND')
    return { envelope, ...(await readCheckedTrail(sql, core.keys, caller.orgId, id)) }
  })
}

/** The trail without a check of the caller. */
export async function readCheckedTrail(sql: Sql, keys: Core['keys'], orgId: OrgId, id: EnvelopeId): Promise<CheckedTrail> {
  const [events, head] = await Promise.all([listAuditEvents(sql, orgId, id), findHead(sql, orgId, id)])
  const violation = await checkChain(keys, { orgId, envelopeId: id }, events, head)
  const headHash = (head?.hash ?? events.at(-1)?.hash ?? Buffer.alloc(0)).toString('hex')
  const chain = { valid: !violation, rows: events.length, headHash, ...(violation && { firstBadSeq: violation.seq }) }
  return { chain, events }
}
