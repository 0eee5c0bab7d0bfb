// Along an envelope's chain: whether a row, or the chain's head, is what this installation wrote at this place.
import { setImmediate } from 'node:timers/promises'
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { type AuditContent, auditHash, auditStatement, CHAIN_START } from './rules.ts'

/** What can be wrong with a row: its words, its absence, its place, its time; `truncated` where a chain ends before its head. */
export type AuditFault = 'changed' | 'missing' | 'moved' | 'foreign' | 'back-dated' | 'truncated'

export interface ChainRow extends AuditContent {
  previousHash: Buffer
  hash: Buffer
  mac: Buffer
}

/** Where the walk stands: the last row that fits. */
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

export interface ChainFault {
  /** Of the first row that is bad; where rows are missing, of the first that is. */
  seq: number
  fault: AuditFault
  message: string
}

/** Some milliseconds of work. */
const ROWS_BETWEEN_PAUSES = 200

export const CHAIN_BEGIN: ChainPoint = { seq: 0, at: '', hash: CHAIN_START }

/** What is wrong first with a whole chain, its rows in their order, or undefined. Lets others have the event loop in between. */
export async function faultOfChain(
  keys: Core['keys'],
  chain: { orgId: string; envelopeId: string },
  rows: readonly ChainRow[],
  head: ChainHead | undefined,
): Promise<ChainFault | undefined> {
  let last: ChainPoint = CHAIN_BEGIN
  for (const [index, row] of rows.entries()) {
    const fault = faultOfRow(keys, chain.orgId, last, row)
    if (fault) return fault
    last = row
    if (index % ROWS_BETWEEN_PAUSES === ROWS_BETWEEN_PAUSES - 1) await setImmediate()
  }
  return faultOfHead(keys, chain, last, head)
}

/** What is wrong with the row that comes after `last`, or undefined. */
export function faultOfRow(keys: Core['keys'], orgId: string, last: ChainPoint, row: ChainRow): ChainFault | undefined {
  const { envelopeId, seq, at, actor, action, address, userAgent, detail, previousHash, hash, mac } = row
  if (seq > last.seq + 1) return { seq: last.seq + 1, fault: 'missing', message: 'the entry was removed: a later one exists' }
  if (at < last.at) return { seq, fault: 'back-dated', message: `its time is ${at}, but the previous entry has ${last.at}` }
  const content = { envelopeId, seq, at, actor, action, address, userAgent, detail }
  const fits = equalSecrets(previousHash, last.hash) && equalSecrets(hash, auditHash(last.hash, content))
  if (!fits) return { seq, fault: 'changed', message: 'its hash does not match its content and the previous entry' }
  if (!equalSecrets(mac, keys.auditMac(auditStatement('row', { orgId, envelopeId, seq }, hash))))
    return { seq, fault: 'changed', message: 'its hash was not made with the key of this installation' }
  return undefined
}

/** What is wrong with the end of the chain whose last row is `last`, or undefined. */
export function faultOfHead(
  keys: Core['keys'],
  { orgId, envelopeId }: { orgId: string; envelopeId: string },
  last: ChainPoint,
  head: ChainHead | undefined,
): ChainFault | undefined {
  if (!head) return { seq: last.seq, fault: 'truncated', message: 'the head of its chain is missing' }
  const isOurs = equalSecrets(head.mac, keys.auditMac(auditStatement('head', { orgId, envelopeId, seq: head.seq }, head.hash)))
  if (!isOurs)
    return { seq: head.seq, fault: 'changed', message: 'the head of its chain was not made with the key of this installation' }
  if (head.seq > last.seq)
    return { seq: last.seq + 1, fault: 'truncated', message: `the chain had ${head.seq} entries but ends after ${last.seq}` }
  const fits = head.seq === last.seq && equalSecrets(head.hash, last.hash)
  return fits ? undefined : { seq: last.seq, fault: 'changed', message: 'it is not the last entry of the chain' }
}
