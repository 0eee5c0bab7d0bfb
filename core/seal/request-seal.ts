// The promise to seal, made in the transaction of the last signature: a crash after it loses nothing.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { insertOutbox, type OutboxMessage } from '#core/outbox/store.ts'
import type { Sql } from '#core/postgres/client.ts'
import { insertSealIntent } from './store.ts'

/** Queues the envelope for sealing. */
export async function requestSeal(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await insertSealIntent(sql, orgId, envelopeId)
  await insertOutbox(sql, orgId, sealMessage(orgId, envelopeId))
}

/** What tells the workers of it, for `insertOutbox`. */
export function sealMessage(orgId: OrgId, envelopeId: EnvelopeId): OutboxMessage {
  return { orderKey: envelopeId, subject: 'sealwright.seal.requested', body: { orgId, envelopeId } }
}
