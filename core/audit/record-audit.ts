// One step of an envelope's history, written in the transaction that makes it true.
import type { Caller, Origin } from '#core/context.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { JsonValue } from './canonical-json.ts'
import { type Actor, type AuditAction, auditHash, CHAIN_START } from './rules.ts'
import { exactNow, findHead, insertAuditEvent } from './store.ts'

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

/** Appends a row to the envelope's chain. The caller holds the envelope's row lock, or has just inserted the envelope. */
export async function recordAudit(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId, entry: AuditEntry): Promise<void> {
  const head = await findHead(sql, orgId, envelopeId)
  const previous = head?.hash ?? CHAIN_START
  const content = {
    envelopeId,
    seq: (head?.seq ?? 0) + 1,
    at: await exactNow(sql),
    actor: entry.actor,
    action: entry.action,
    address: entry.origin.address,
    userAgent: entry.origin.userAgent,
    detail: entry.detail ?? {},
  }
  await insertAuditEvent(sql, orgId, content, { previous, hash: auditHash(previous, content) })
}
