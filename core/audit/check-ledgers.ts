// The organisations' ledgers, row by row to their heads: they still have what was taken out of a chain together with its head.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Finding, Tally } from './findings.ts'
import { faultOfLedgerHead, faultOfLedgerRow, LEDGER_BEGIN, type LedgerFault, type LedgerPoint } from './ledger-walk.ts'
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
      if (before) yield* endOf(keys, before, last)
      last = LEDGER_BEGIN
    }
    const fault = faultOfLedgerRow(keys, last, row)
    if (fault) yield toFinding(row, fault)
    before = row
    last = { orgSeq: row.orgSeq, hash: row.hash, latestMs: Math.max(last.latestMs, row.at?.getTime() ?? -Infinity) }
    tally.ledgers.set(row.orgId, last)
  }
  if (before) yield* endOf(keys, before, last)
  for (const { orgId: owner } of await listEmptyLedgers(sql, orgId))
    yield inLedger(owner, { orgSeq: 1, fault: 'truncated', message: 'only the head of the ledger is left' })
}

function* endOf(keys: Core['keys'], row: ScannedLedgerRow, last: LedgerPoint): Generator<Finding> {
  const fault = faultOfLedgerHead(keys, row.orgId, last, row)
  if (fault) yield inLedger(row.orgId, fault)
}

function toFinding(row: ScannedLedgerRow, fault: LedgerFault): Finding {
  const { orgId, envelopeId, seq, orgSeq } = row
  // Rows that are gone from the ledger are not told by the row behind them.
  return fault.orgSeq === orgSeq ? { ...inLedger(orgId, fault), envelopeId, seq } : inLedger(orgId, fault)
}

function inLedger(orgId: string, { orgSeq, fault, message }: LedgerFault): Finding {
  return { orgId, envelopeId: null, seq: null, ledgerSeq: orgSeq, fault, message }
}
