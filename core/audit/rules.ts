// How a row of the audit trail is bound to the one before it.
import { createHash } from 'node:crypto'
import { canonicalJson, type JsonValue } from './canonical-json.ts'

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

/** What stands before the first row of a chain. */
export const CHAIN_START = Buffer.alloc(32)

/** SHA-256 over a domain tag, the previous hash and the canonical row. */
export function auditHash(previous: Buffer, content: AuditContent): Buffer {
  return createHash('sha256')
    .update('sealwright audit v1\0')
    .update(previous)
    .update(canonicalJson({ ...content, actor: { ...content.actor } }))
    .digest()
}
