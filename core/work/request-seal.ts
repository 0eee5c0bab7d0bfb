// What tells the workers of the promise to seal. Both are made in the transaction of the last signature: a crash after it loses nothing.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { OutboxMessage } from '#core/messaging/outbox-store.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { currentTraceParent } from '#core/platform/trace/spans.ts'

/** For `insertOutbox`. */
export function sealMessage(orgId: OrgId, envelopeId: EnvelopeId): OutboxMessage {
  return { orderKey: envelopeId, subject: 'sealwright.seal.requested', body: { orgId, envelopeId } }
}

export async function insertSealJob(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await sql`insert into seal_intents (org_id, envelope_id, trace_parent) values (${orgId}, ${envelopeId}, ${currentTraceParent()})`
}
