// Verifies the envelopes' chains row by row up to their heads. After the first bad row the rest of a chain is skipped, because every later
// row depends on it.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { CHAIN_BEGIN, type ChainViolation, type ChainHead, type ChainPoint, checkChainHead, checkChainRow } from './chain-walk.ts'
import type { Finding, Tally } from './findings.ts'
import { auditStatement } from './rules.ts'
import { scanChains, type ScannedRow } from './scan-store.ts'

/** Longer chains are an attack; the original position of a moved row is searched up to this row. */
const MAX_CHAIN_ROWS = 10_000

export async function* checkChains(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId | undefined,
  tally: Tally,
): AsyncGenerator<Finding> {
  let chain: { first: ScannedRow; last: ChainPoint; isBad: boolean } | undefined
  for await (const row of scanChains(sql, orgId)) {
    tally.rows++
    if (!chain || row.envelopeId !== chain.first.envelopeId || row.orgId !== chain.first.orgId) {
      if (chain) yield* checkEnd(keys, chain)
      tally.envelopes++
      chain = { first: row, last: CHAIN_BEGIN, isBad: false }
    }
    if (chain.isBad) continue
    const violation = checkChainRow(keys, row.orgId, chain.last, row)
    if (violation) {
      chain.isBad = true
      yield { ...toFinding(row, detectMove(keys, row, violation)), hash: row.hash }
    }
    chain.last = { seq: row.seq, at: row.at, hash: row.hash }
  }
  if (chain) yield* checkEnd(keys, chain)
}

function* checkEnd(
  keys: Core['keys'],
  { first, last, isBad }: { first: ScannedRow; last: ChainPoint; isBad: boolean },
): Generator<Finding> {
  const violation = isBad ? undefined : checkChainHead(keys, first, last, headOf(first))
  if (violation) yield toFinding(first, violation)
}

function headOf({ headSeq: seq, headHash: hash, headMac: mac }: ScannedRow): ChainHead | undefined {
  return seq === null || hash === null || mac === null ? undefined : { seq, hash, mac }
}

/** A row whose MAC matches another position of the chain was moved. */
function detectMove(
  keys: Core['keys'],
  { orgId, envelopeId, seq, hash, mac, headSeq }: ScannedRow,
  violation: ChainViolation,
): ChainViolation {
  if (violation.kind !== 'changed') return violation
  const rows = Math.min(Math.max(headSeq ?? 0, seq + 1), MAX_CHAIN_ROWS)
  for (let place = 1; place <= rows; place++) {
    if (place === seq || !keys.isRowMac(mac, auditStatement('row', { orgId, envelopeId, seq: place }, hash))) continue
    return { seq, kind: 'moved', message: `it was written as entry ${place} of its chain` }
  }
  return violation
}

function toFinding({ orgId, envelopeId }: ScannedRow, { seq, kind, message }: ChainViolation): Finding {
  return { orgId, envelopeId, seq, ledgerSeq: null, kind, message }
}
