// Events are rows of the transaction that makes them true: a crash after the commit loses none, a rollback tells nobody.
import type { OrgId } from '#core/ids.ts'
import { insertOutbox } from '#core/outbox/store.ts'
import type { EventType } from '#core/outbox/subjects.ts'
import { databaseNow } from '#core/postgres/now.ts'
import type { Sql } from '#core/postgres/client.ts'
import { type EventEnvelope, type EventSigner, renderEvent } from './payload.ts'

/** Records one event about the envelope as it stands after the change; signer events also name the signer. */
export async function recordEvent(
  sql: Sql,
  orgId: OrgId,
  type: EventType,
  envelope: EventEnvelope,
  signer?: EventSigner,
): Promise<void> {
  const event = renderEvent(type, await databaseNow(sql), envelope, signer)
  await insertOutbox(sql, orgId, envelope.id, `sealwright.${type}`, event)
}
