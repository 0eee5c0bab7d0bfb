// Verifies one row of an organisation's ledger: whether it is ours and in its place, and whether the chain still has the row that it
// records.
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { BACK_DATING_TOLERANCE_SECONDS } from '#core/limits.ts'
import type { ViolationKind } from './chain-walk.ts'
import { auditStatement, CHAIN_START, ledgerHash } from './rules.ts'
import type { ScannedLedgerRow } from './scan-store.ts'

/** The last verified row, and the latest time of any row before. */
export interface LedgerPoint {
  orgSeq: number
  hash: Buffer
  latestMs: number
}

export interface LedgerViolation {
  /** Number of the row in the ledger. */
  orgSeq: number
  kind: ViolationKind
  message: string
}

export const LEDGER_BEGIN: LedgerPoint = { orgSeq: 0, hash: CHAIN_START, latestMs: -Infinity }

/** Checks the ledger row that follows `last`; undefined when it is intact. */
export function checkLedgerRow(keys: Core['keys'], last: LedgerPoint, row: ScannedLedgerRow): LedgerViolation | undefined {
  const { orgId, orgSeq, hash, mac } = row
  if (orgSeq !== last.orgSeq + 1)
    return { orgSeq: last.orgSeq + 1, kind: 'missing', message: 'the previous entry of the ledger was removed' }
  const content = { ...row, eventHash: row.eventHash.toString('hex') }
  const { envelopeId, seq, eventHash, enteredAt } = content
  const fits = equalSecrets(hash, ledgerHash(last.hash, { orgId, orgSeq, envelopeId, seq, eventHash, enteredAt }))
  const isOurs = keys.isRowMac(mac, auditStatement('row', { orgId, seq: orgSeq }, hash))
  if (!fits || !isOurs) return { orgSeq, kind: 'changed', message: 'the ledger entry was changed' }
  return checkLedgerEntry(last, row)
}

function checkLedgerEntry(
  last: LedgerPoint,
  { orgSeq, eventHash, actualHash, at }: ScannedLedgerRow,
): LedgerViolation | undefined {
  if (actualHash === null || at === null)
    return { orgSeq, kind: 'missing', message: 'the ledger has the entry, but the chain does not' }
  if (!equalSecrets(actualHash, eventHash))
    return { orgSeq, kind: 'changed', message: 'the ledger has a different hash for the entry' }
  if (at.getTime() < last.latestMs - BACK_DATING_TOLERANCE_SECONDS * 1000)
    return {
      orgSeq,
      kind: 'back-dated',
      message: `its time is ${at.toISOString()}, but earlier entries go up to ${new Date(last.latestMs).toISOString()}`,
    }
  return undefined
}

/** Checks the head of the ledger whose last row is `last`; undefined when it is intact. */
export function checkLedgerHead(
  keys: Core['keys'],
  orgId: string,
  last: LedgerPoint,
  { headSeq, headHash, headMac }: Pick<ScannedLedgerRow, 'headSeq' | 'headHash' | 'headMac'>,
): LedgerViolation | undefined {
  if (headSeq === null || headHash === null || headMac === null)
    return { orgSeq: last.orgSeq, kind: 'truncated', message: 'the head of the ledger is missing' }
  if (!keys.isHeadMac(headMac, auditStatement('head', { orgId, seq: headSeq }, headHash)))
    return { orgSeq: headSeq, kind: 'changed', message: 'the head of the ledger was not made with the key of this installation' }
  if (headSeq > last.orgSeq)
    return {
      orgSeq: last.orgSeq + 1,
      kind: 'truncated',
      message: `the ledger had ${headSeq} entries but ends after ${last.orgSeq}`,
    }
  const fits = headSeq === last.orgSeq && equalSecrets(headHash, last.hash)
  return fits ? undefined : { orgSeq: last.orgSeq, kind: 'changed', message: 'it is not the last entry of the ledger' }
}
