// Appends to an envelope's audit trail, in the transaction of the change.
import type { Caller, Core, ClientInfo } from '#core/context.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { JsonValue } from '#core/platform/text/canonical-json.ts'
import type { ChainRow } from './chain-walk.ts'
import { type Actor, type AuditAction, auditHash, auditStatement, CHAIN_START } from './rules.ts'
import { type ChainEnd, findChainEnd, insertAuditEvents } from './store.ts'

export interface AuditEntry {
  actor: Actor
  origin: ClientInfo
  action: AuditAction
  detail?: { readonly [key: string]: JsonValue }
}

/** For sweeps and workers, which have no address. */
export const SYSTEM = {
  actor: { kind: 'system' },
  origin: { address: null, userAgent: null },
} as const satisfies Partial<AuditEntry>

/** The API or panel caller as actor, with client information. */
export function byCaller(caller: Caller): Pick<AuditEntry, 'actor' | 'origin'> {
  const { origin } = caller
  if (caller.kind === 'credential') return { actor: { kind: 'credential', clientId: caller.clientId }, origin }
  return { actor: { kind: 'person', personId: caller.personId, email: caller.email }, origin }
}

/** The value of `createdBy`. */
export function creatorOf(caller: Caller): string {
  return caller.kind === 'credential' ? caller.clientId : caller.email
}

/**
 * Appends rows to the envelope's chain, in order and with one time, and advances its head. The caller holds the envelope's row lock. A head
 * that is not ours is never signed again: work continues, and the chain stays marked for `audit verify`.
 */
export async function recordAudit(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  envelopeId: EnvelopeId,
  ...entries: readonly AuditEntry[]
): Promise<void> {
  await appendAudit(sql, keys, orgId, envelopeId, await findChainEnd(sql, orgId, envelopeId), ...entries)
}

/**
 * Like recordAudit with a known end of the chain: from `findChainEnd` after the lock, or `newChain` for an envelope inserted in this
 * transaction.
 */
export async function appendAudit(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  envelopeId: EnvelopeId,
  end: ChainEnd,
  ...entries: readonly AuditEntry[]
): Promise<void> {
  const rows: ChainRow[] = []
  for (const entry of entries) rows.push(nextRow(keys, orgId, envelopeId, rows.at(-1) ?? end, entry))
  const last = rows.at(-1)
  if (!last) return
  const { seq, at, hash } = last
  const mac = isOurs(keys, orgId, envelopeId, end)
    ? keys.auditMac(auditStatement('head', { orgId, envelopeId, seq }, hash))
    : end.mac
  await insertAuditEvents(sql, orgId, envelopeId, rows, { seq, at, hash, mac })
}

/** The end of the chain of an envelope that this transaction inserts. `at`: start of the transaction by the database, with microseconds. */
export function newChain(at: string): ChainEnd {
  return { seq: 0, hash: null, mac: Buffer.alloc(0), at }
}

function nextRow(
  keys: Core['keys'],
  orgId: OrgId,
  envelopeId: EnvelopeId,
  { seq: last, hash: lastHash, at }: Pick<ChainEnd, 'seq' | 'hash' | 'at'>,
  { actor, origin, action, detail = {} }: AuditEntry,
): ChainRow {
  const seq = last + 1
  const previousHash = lastHash ?? CHAIN_START
  const content = { envelopeId, seq, at, actor, action, address: origin.address, userAgent: origin.userAgent, detail }
  const hash = auditHash(previousHash, content)
  return { ...content, previousHash, hash, mac: keys.auditMac(auditStatement('row', { orgId, envelopeId, seq }, hash)) }
}

function isOurs(keys: Core['keys'], orgId: OrgId, envelopeId: EnvelopeId, { seq, hash, mac }: ChainEnd): boolean {
  if (seq === 0) return true
  return keys.isHeadMac(mac, auditStatement('head', { orgId, envelopeId, seq }, hash ?? CHAIN_START))
}
