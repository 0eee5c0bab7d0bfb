// Verifies an envelope's chain: whether each row, and the chain's head, is what this installation wrote at this position.
import { setImmediate } from 'node:timers/promises'
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { type AuditContent, auditHash, auditStatement, CHAIN_START } from './rules.ts'

/** What is wrong with a row: its content, absence, position or time; `truncated` when a chain ends before its head. */
export type ViolationKind = 'changed' | 'missing' | 'moved' | 'foreign' | 'back-dated' | 'truncated'

export interface ChainRow extends AuditContent {
  previousHash: Buffer
  hash: Buffer
  mac: Buffer
}

/** The last verified row. */
export interface ChainPoint {
  seq: number
  at: string
  hash: Buffer
}

export interface ChainHead {
  seq: number
  hash: Buffer
  mac: Buffer
}

export interface ChainViolation {
  /** Number of the first bad row; for missing rows, of the first missing one. */
  seq: number
  kind: ViolationKind
  message: string
}

/** A few milliseconds of work. */
const ROWS_BETWEEN_YIELDS = 200

export const CHAIN_BEGIN: ChainPoint = { seq: 0, at: '', hash: CHAIN_START }

/** Returns the first violation in a whole chain, or undefined. Yields to the event loop in between. */
export async function checkChain(
  keys: Core['keys'],
  chain: { orgId: string; envelopeId: string },
  rows: readonly ChainRow[],
  head: ChainHead | undefined,
): Promise<ChainViolation | undefined> {
  let last: ChainPoint = CHAIN_BEGIN
  for (const [index, row] of rows.entries()) {
    const violation = checkChainRow(keys, chain.orgId, last, row)
    if (violation) return violation
    last = row
    if (index % ROWS_BETWEEN_YIELDS === ROWS_BETWEEN_YIELDS - 1) await setImmediate()
  }
  return checkChainHead(keys, chain, last, head)
}

/** Checks the row that follows `last`; undefined when it is intact. */
export function checkChainRow(keys: Core['keys'], orgId: string, last: ChainPoint, row: ChainRow): ChainViolation | undefined {
  const { envelopeId, seq, at, actor, action, address, userAgent, detail, previousHash, hash, mac } = row
  if (seq > last.seq + 1) return { seq: last.seq + 1, kind: 'missing', message: 'the entry was removed: a later one exists' }
  if (at < last.at) return { seq, kind: 'back-dated', message: `its time is ${at}, but the previous entry has ${last.at}` }
  const content = { envelopeId, seq, at, actor, action, address, userAgent, detail }
  const fits = equalSecrets(previousHash, last.hash) && equalSecrets(hash, auditHash(last.hash, content))
  if (!fits) return { seq, kind: 'changed', message: 'its hash does not match its content and the previous entry' }
  if (!keys.isRowMac(mac, auditStatement('row', { orgId, envelopeId, seq }, hash)))
    return { seq, kind: 'changed', message: 'its hash was not made with the key of this installation' }
  return undefined
}

/** Checks the head of the chain whose last row is `last`; undefined when it is intact. */
export function checkChainHead(
  keys: Core['keys'],
  { orgId, envelopeId }: { orgId: string; envelopeId: string },
  last: ChainPoint,
  head: ChainHead | undefined,
): ChainViolation | undefined {
  if (!head) return { seq: last.seq, kind: 'truncated', message: 'the head of its chain is missing' }
  const isOurs = keys.isHeadMac(head.mac, auditStatement('head', { orgId, envelopeId, seq: head.seq }, head.hash))
  if (!isOurs)
    return { seq: head.seq, kind: 'changed', message: 'the head of its chain was not made with the key of this installation' }
  if (head.seq > last.seq)
    return { seq: last.seq + 1, kind: 'truncated', message: `the chain had ${head.seq} entries but ends after ${last.seq}` }
  const fits = head.seq === last.seq && equalSecrets(head.hash, last.hash)
  return fits ? undefined : { seq: last.seq, kind: 'changed', message: 'it is not the last entry of the chain' }
}
