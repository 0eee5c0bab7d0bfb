// Links each row of the audit trail to the one before it, and defines what the installation's MAC covers.
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

/** The content of one row; `at` is ISO 8601 with microseconds by the database clock. */
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

/** The content of one row of an organisation's ledger. */
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

/** The previous hash of the first row of a chain. */
export const CHAIN_START = Buffer.alloc(32)

/** SHA-256 over a domain tag, the previous hash and the canonical row. */
export function auditHash(previous: Buffer, content: AuditContent): Buffer {
  return chained('sealwright audit v1\0', previous, { ...content, actor: { ...content.actor } })
}

/** Like auditHash for a ledger row, with its own tag. */
export function ledgerHash(previous: Buffer, content: LedgerContent): Buffer {
  return chained('sealwright ledger v1\0', previous, { ...content })
}

function chained(tag: string, previous: Buffer, content: JsonValue): Buffer {
  return createHash('sha256').update(tag).update(previous).update(canonicalJson(content)).digest()
}

/** The position of a hash in an organisation's trail: in an envelope's chain, or in the ledger when there is no envelope. */
export interface AuditPosition {
  orgId: string
  envelopeId?: string
  seq: number
}

/** The text that a MAC covers: this hash is at this position (`row`), or the chain ends with it (`head`). */
export function auditStatement(kind: 'row' | 'head', { orgId, envelopeId, seq }: AuditPosition, hash: Buffer): string {
  return `${kind} ${orgId} ${envelopeId ?? 'ledger'} ${seq} ${hash.toString('hex')}`
}
