// One step of an envelope's history, written in the transaction that makes it true.
import type { Caller, Core, Origin } from '#core/context.ts'
import { equalSecrets } from '#core/crypto/installation-keys.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { JsonValue } from './canonical-json.ts'
import { type Actor, type AuditAction, auditHash, auditStatement, CHAIN_START } from './rules.ts'
import { findChainEnd, insertAuditEvent } from './store.ts'

export interface AuditEntry {
  actor: Actor
  origin: Origin
  action: AuditAction
  detail?: { readonly [key: string]: JsonValue }
}

/** Clocks and workers: they have no address. */
export const SYSTEM = {
  actor: { kind: 'system' },
  origin: { address: null, userAgent: null },
} as const satisfies Partial<AuditEntry>

/** The caller of the API or the panel as an actor with its origin. */
export function byCaller(caller: Caller): Pick<AuditEntry, 'actor' | 'origin'> {
  const { origin } = caller
  if (caller.kind === 'credential') return { actor: { kind: 'credential', clientId: caller.clientId }, origin }
  return { actor: { kind: 'person', personId: caller.personId, email: caller.email }, origin }
}

/** Whom `createdBy` names. */
export function creatorOf(caller: Caller): string {
  return caller.kind === 'credential' ? caller.clientId : caller.email
}

/** Appends a row to the envelope's chain and moves its head on. The caller holds the envelope's row lock, or has just inserted the envelope.
 *  A head that is not ours is never signed again: work goes on, and the chain stays marked for `audit verify`. */
export async function recordAudit(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  envelopeId: EnvelopeId,
  entry: AuditEntry,
): Promise<void> {
  const end = await findChainEnd(sql, orgId, envelopeId)
  const previous = end.hash ?? CHAIN_START
  const content = {
    envelopeId,
    seq: end.seq + 1,
    at: end.at,
    actor: entry.actor,
    action: entry.action,
    address: entry.origin.address,
    userAgent: entry.origin.userAgent,
    detail: entry.detail ?? {},
  }
  const hash = auditHash(previous, content)
  const place = { orgId, envelopeId, seq: content.seq }
  const isOurs =
    end.seq === 0 || equalSecrets(end.mac, keys.auditMac(auditStatement('head', { ...place, seq: end.seq }, previous)))
  await insertAuditEvent(sql, orgId, content, {
    previous,
    hash,
    mac: keys.auditMac(auditStatement('row', place, hash)),
    headMac: isOurs ? keys.auditMac(auditStatement('head', place, hash)) : end.mac,
  })
}
