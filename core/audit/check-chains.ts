// The envelopes' chains, row by row to their heads. Behind the first bad row of a chain the rest of it is passed over: everything follows from it.
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { CHAIN_BEGIN, type ChainFault, type ChainHead, type ChainPoint, faultOfHead, faultOfRow } from './chain-walk.ts'
import type { Finding, Tally } from './findings.ts'
import { auditStatement } from './rules.ts'
import { scanChains, type ScannedRow } from './scan-store.ts'

/** Chains are no longer than that but for an attack; where a row of one comes from is looked for so far. */
const LONGEST_CHAIN = 10_000

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
      if (chain) yield* endOf(keys, chain)
      tally.envelopes++
      chain = { first: row, last: CHAIN_BEGIN, isBad: false }
    }
    if (chain.isBad) continue
    const fault = faultOfRow(keys, row.orgId, chain.last, row)
    if (fault) {
      chain.isBad = true
      yield { ...toFinding(row, explain(keys, row, fault)), hash: row.hash }
    }
    chain.last = { seq: row.seq, at: row.at, hash: row.hash }
  }
  if (chain) yield* endOf(keys, chain)
}

function* endOf(
  keys: Core['keys'],
  { first, last, isBad }: { first: ScannedRow; last: ChainPoint; isBad: boolean },
): Generator<Finding> {
  const fault = isBad ? undefined : faultOfHead(keys, first, last, headOf(first))
  if (fault) yield toFinding(first, fault)
}

function headOf({ headSeq: seq, headHash: hash, headMac: mac }: ScannedRow): ChainHead | undefined {
  return seq === null || hash === null || mac === null ? undefined : { seq, hash, mac }
}

/** A row that this installation wrote for another place of the chain has been moved. */
function explain(keys: Core['keys'], { orgId, envelopeId, seq, hash, mac, headSeq }: ScannedRow, fault: ChainFault): ChainFault {
  if (fault.fault !== 'changed') return fault
  const rows = Math.min(Math.max(headSeq ?? 0, seq + 1), LONGEST_CHAIN)
  for (let place = 1; place <= rows; place++) {
    if (place === seq || !equalSecrets(mac, keys.auditMac(auditStatement('row', { orgId, envelopeId, seq: place }, hash))))
      continue
    return { seq, fault: 'moved', message: `it was written as entry ${place} of its chain` }
  }
  return fault
}

function toFinding({ orgId, envelopeId }: ScannedRow, { seq, fault, message }: ChainFault): Finding {
  return { orgId, envelopeId, seq, ledgerSeq: null, fault, message }
}
