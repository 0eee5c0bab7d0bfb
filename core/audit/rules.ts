// How a row of the audit trail is bound to the one before it, and what the installation vouches for with its MAC.
import { createHash } from 'node:crypto'
import { canonicalJson, type JsonValue } from '#core/platform/text/canonical-json.ts'

export type Actor =
  | { kind: 'credential'; clientId: string }
  | { kind: 'person'; personId: string; email: string }
  | { kind: 'signer'; signerId: string; name: string; email: string }
  | { kind: 'system' }

export type AuditAction =
  | 'envelope.created'
  | 'envelope.deleted'
  | 'envelope.sent'
  | 'envelope.cancelled'
  | 'envelope.completed'
  | 'envelope.expired'
  | 'envelope.sealed'
  | 'envelope.archived'
  | 'legal_hold.set'
  | 'legal_hold.released'
  | 'signer.added'
  | 'document.attached'
  | 'link.mailed'
  | 'code.requested'
  | 'code.accepted'
  | 'code.refused'
  | 'document.opened'
  | 'document.closed'
  | 'signer.signed'
  | 'copy.mailed'

/** What one row says; `at` is ISO 8601 with microseconds by the database clock. */
export interface AuditContent {
  envelopeId: string
  seq: number
  at: string
  actor: Actor
  action: AuditAction
  address: string | null
  userAgent: string | null
  detail: { readonly [key: string]: JsonValue }
}

/** What one row of an organisation's ledger says. */
export interface LedgerContent {
  orgId: string
  orgSeq: number
  envelopeId: string
  seq: number
  /** Hex. */
  eventHash: string
  /** ISO 8601 with microseconds by the database clock. */
  enteredAt: string
}

/** What stands before the first row of a chain. */
export const CHAIN_START = Buffer.alloc(32)

/** SHA-256 over a domain tag, the previous hash and the canonical row. */
export function auditHash(previous: Buffer, content: AuditContent): Buffer {
  return chained('sealwright audit v1\0', previous, { ...content, actor: { ...content.actor } })
}

/** The same for a row of the ledger, under a tag of its own. */
export function ledgerHash(previous: Buffer, content: LedgerContent): Buffer {
  return chained('sealwright ledger v1\0', previous, { ...content })
}

function chained(tag: string, previous: Buffer, content: JsonValue): Buffer {
  return createHash('sha256').update(tag).update(previous).update(canonicalJson(content)).digest()
}

/** Where in which organisation's trail a hash stands; an envelope's chain, or the ledger when there is no envelope. */
export interface AuditPlace {
  orgId: string
  envelopeId?: string
  seq: number
}

/** What a MAC says: this hash stands at this place (`row`), or the chain ends with it (`head`). */
export function auditStatement(kind: 'row' | 'head', { orgId, envelopeId, seq }: AuditPlace, hash: Buffer): string {
  return `${kind} ${orgId} ${envelopeId ?? 'ledger'} ${seq} ${hash.toString('hex')}`
}
