// Verifies the organisations' ledgers row by row up to their heads: they still have rows that were removed from a chain together with its
// head.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Finding, Tally } from './findings.ts'
import { checkLedgerHead, checkLedgerRow, LEDGER_BEGIN, type LedgerViolation, type LedgerPoint } from './ledger-walk.ts'
import { listEmptyLedgers, scanLedgers, type ScannedLedgerRow } from './scan-store.ts'

export async function* checkLedgers(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId | undefined,
  tally: Tally,
): AsyncGenerator<Finding> {
  let before: ScannedLedgerRow | undefined
  let last = LEDGER_BEGIN
  for await (const row of scanLedgers(sql, orgId)) {
    if (before?.orgId !== row.orgId) {
      if (before) yield* checkEnd(keys, before, last)
      last = LEDGER_BEGIN
    }
    const violation = checkLedgerRow(keys, last, row)
    if (violation) yield toFinding(row, violation)
    before = row
    last = { orgSeq: row.orgSeq, hash: row.hash, latestMs: Math.max(last.latestMs, row.at?.getTime() ?? -Infinity) }
    tally.ledgers.set(row.orgId, last)
  }
  if (before) yield* checkEnd(keys, before, last)
  for (const { orgId: owner } of await listEmptyLedgers(sql, orgId))
    yield inLedger(owner, { orgSeq: 1, kind: 'truncated', message: 'only the head of the ledger is left' })
}

function* checkEnd(keys: Core['keys'], row: ScannedLedgerRow, last: LedgerPoint): Generator<Finding> {
  const violation = checkLedgerHead(keys, row.orgId, last, row)
  if (violation) yield inLedger(row.orgId, violation)
}

function toFinding(row: ScannedLedgerRow, violation: LedgerViolation): Finding {
  const { orgId, envelopeId, seq, orgSeq } = row
  // A missing ledger row is not described by the row after it.
  return violation.orgSeq === orgSeq ? { ...inLedger(orgId, violation), envelopeId, seq } : inLedger(orgId, violation)
}

function inLedger(orgId: string, { orgSeq, kind, message }: LedgerViolation): Finding {
  return { orgId, envelopeId: null, seq: null, ledgerSeq: orgSeq, kind, message }
}
