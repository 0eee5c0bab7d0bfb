// What tells the workers of the promise to seal. Both are made in the transaction of the last signature: a crash after it loses nothing.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { OutboxMessage } from '#core/messaging/outbox-store.ts'

/** For `insertOutbox`. */
export function sealMessage(orgId: OrgId, envelopeId: EnvelopeId): OutboxMessage {
  return { orderKey: envelopeId, subject: 'sealwright.seal.requested', body: { orgId, envelopeId } }
}
