// The promise to seal, made in the transaction of the last signature: a crash after it loses nothing.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { insertOutbox } from '#core/outbox/store.ts'
import type { Sql } from '#core/postgres/client.ts'
import { insertSealIntent } from './store.ts'

/** Queues the envelope for sealing. */
export async function requestSeal(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await insertSealIntent(sql, orgId, envelopeId)
  await insertOutbox(sql, orgId, envelopeId, 'sealwright.seal.requested', { orgId, envelopeId })
}
