// One step along an organisation's ledger: whether its row is ours and in its place, and whether the chain still has what it stands for.
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { BACK_DATING_TOLERANCE_SECONDS } from '#core/limits.ts'
import type { AuditFault } from './chain-walk.ts'
import { auditStatement, CHAIN_START, ledgerHash } from './rules.ts'
import type { ScannedLedgerRow } from './scan-store.ts'

/** Where the walk stands: the last row that fits, and the latest time of anything before. */
export interface LedgerPoint {
  orgSeq: number
  hash: Buffer
  latestMs: number
}

export interface LedgerFault {
  /** In the ledger. */
  orgSeq: number
  fault: AuditFault
  message: string
}

export const LEDGER_BEGIN: LedgerPoint = { orgSeq: 0, hash: CHAIN_START, latestMs: -Infinity }

/** What is wrong with the ledger's row that comes after `last`, or undefined. */
export function faultOfLedgerRow(keys: Core['keys'], last: LedgerPoint, row: ScannedLedgerRow): LedgerFault | undefined {
  const { orgId, orgSeq, hash, mac } = row
  if (orgSeq !== last.orgSeq + 1)
    return { orgSeq: last.orgSeq + 1, fault: 'missing', message: 'the previous entry of the ledger was removed' }
  const content = { ...row, eventHash: row.eventHash.toString('hex') }
  const { envelopeId, seq, eventHash, enteredAt } = content
  const fits = equalSecrets(hash, ledgerHash(last.hash, { orgId, orgSeq, envelopeId, seq, eventHash, enteredAt }))
  const isOurs = equalSecrets(mac, keys.auditMac(auditStatement('row', { orgId, seq: orgSeq }, hash)))
  if (!fits || !isOurs) return { orgSeq, fault: 'changed', message: 'the ledger entry was changed' }
  return faultOfEntry(last, row)
}

function faultOfEntry(last: LedgerPoint, { orgSeq, eventHash, actualHash, at }: ScannedLedgerRow): LedgerFault | undefined {
  if (actualHash === null || at === null)
    return { orgSeq, fault: 'missing', message: 'the ledger has the entry, but the chain does not' }
  if (!equalSecrets(actualHash, eventHash))
    return { orgSeq, fault: 'changed', message: 'the ledger has a different hash for the entry' }
  if (at.getTime() < last.latestMs - BACK_DATING_TOLERANCE_SECONDS * 1000)
    return {
      orgSeq,
      fault: 'back-dated',
      message: `its time is ${at.toISOString()}, but earlier entries go up to ${new Date(last.latestMs).toISOString()}`,
    }
  return undefined
}

/** What is wrong with the end of the ledger whose last row is `last`, or undefined. */
export function faultOfLedgerHead(
  keys: Core['keys'],
  orgId: string,
  last: LedgerPoint,
  { headSeq, headHash, headMac }: Pick<ScannedLedgerRow, 'headSeq' | 'headHash' | 'headMac'>,
): LedgerFault | undefined {
  if (headSeq === null || headHash === null || headMac === null)
    return { orgSeq: last.orgSeq, fault: 'truncated', message: 'the head of the ledger is missing' }
  if (!equalSecrets(headMac, keys.auditMac(auditStatement('head', { orgId, seq: headSeq }, headHash))))
    return { orgSeq: headSeq, fault: 'changed', message: 'the head of the ledger was not made with the key of this installation' }
  if (headSeq > last.orgSeq)
    return {
      orgSeq: last.orgSeq + 1,
      fault: 'truncated',
      message: `the ledger had ${headSeq} entries but ends after ${last.orgSeq}`,
    }
  const fits = headSeq === last.orgSeq && equalSecrets(headHash, last.hash)
  return fits ? undefined : { orgSeq: last.orgSeq, fault: 'changed', message: 'it is not the last entry of the ledger' }
}
