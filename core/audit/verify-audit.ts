// `audit verify`: verifies every chain and every ledger in one snapshot, with one chunk of rows in memory, and lists what this installation
// did not write. README.md says what that proves and what it cannot.
import type { Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { OrgId } from '#core/ids.ts'
import { MAX_BAD_ROWS } from '#core/limits.ts'
import { inSnapshot, type Sql } from '#core/platform/postgres/client.ts'
import { checkChains } from './check-chains.ts'
import { checkCompleteness } from './check-completeness.ts'
import { checkLedgers } from './check-ledgers.ts'
import { type BadRow, type Finding, newTally, type Tally } from './findings.ts'
import { findHashElsewhere, hasOrganisation, listKnownHashes } from './scan-store.ts'

export interface AuditVerdict {
  intact: boolean
  envelopes: number
  rows: number
  /** Rows that are in their chains and will be in a ledger within seconds. */
  notInLedger: number
  /** Store these elsewhere: they show later whether the database was restored to an earlier state. */
  ledgers: { orgId: string; rows: number; hash: string }[]
  /** The heads that were noted earlier: one that is missing shows that the database was restored to an earlier state. */
  knownHeads: { hash: string; found: boolean }[]
  /** At most 100, one per envelope: first from the chains, then from the ledgers, then missing rows. */
  badRows: BadRow[]
}

/**
 * Verifies one organisation, or all, and looks for `heads` (64 lower-case hex digits). Throws ORGANISATION_NOT_FOUND. Needs a database of the
 * system role.
 */
export async function verifyAudit(
  core: Pick<Core, 'database' | 'keys'>,
  orgId: OrgId | undefined,
  heads: readonly string[] = [],
): Promise<AuditVerdict> {
  return inSnapshot(core.database, async (sql) => {
    if (orgId && !(await hasOrganisation(sql, orgId))) throw new DomainError('ORGANISATION_NOT_FOUND')
    const tally = newTally()
    const findings = await collect(sql, core.keys, orgId, tally)
    const badRows = await Promise.all(findings.map((finding) => traceOrigin(sql, finding)))
    const { envelopes, rows, notInLedger } = tally
    const ledgers = [...tally.ledgers].map(([owner, { orgSeq, hash }]) => ({
      orgId: owner,
      rows: orgSeq,
      hash: hash.toString('hex'),
    }))
    const knownHeads = await findHeads(sql, orgId, heads)
    return { intact: badRows.length === 0, envelopes, rows, notInLedger, ledgers, knownHeads, badRows }
  })
}

async function collect(sql: Sql, keys: Core['keys'], orgId: OrgId | undefined, tally: Tally): Promise<Finding[]> {
  const found = new Map<string, Finding>()
  for (const check of [checkChains, checkLedgers, checkCompleteness]) {
    for await (const finding of check(sql, keys, orgId, tally)) {
      // Only the first finding of an envelope is reported: later ones follow from it.
      const place = `${finding.orgId} ${finding.envelopeId ?? 'ledger'}`
      if (!found.has(place)) found.set(place, finding)
      if (found.size >= MAX_BAD_ROWS) return [...found.values()]
    }
  }
  return [...found.values()]
}

async function findHeads(sql: Sql, orgId: OrgId | undefined, heads: readonly string[]): Promise<AuditVerdict['knownHeads']> {
  if (heads.length === 0) return []
  const known = await listKnownHashes(sql, orgId, heads)
  return heads.map((head) => ({ hash: head, found: known.some(({ hash }) => hash === head) }))
}

/** The hash shows when a row was written for another envelope. */
async function traceOrigin(sql: Sql, { hash, ...row }: Finding): Promise<BadRow> {
  if (!hash || row.envelopeId === null || row.kind !== 'changed') return row
  const origin = await findHashElsewhere(sql, hash, { orgId: row.orgId, envelopeId: row.envelopeId })
  if (!origin) return row
  return { ...row, kind: 'foreign', message: `its hash is that of entry ${origin.seq} of envelope ${origin.envelopeId}` }
}
