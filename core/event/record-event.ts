// Events are rows of the transaction that makes them true: a crash after the commit loses none, a rollback tells nobody.
import type { OrgId } from '#core/ids.ts'
import { insertOutbox, type OutboxMessage } from '#core/messaging/outbox-store.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { type EventEnvelope, type EventSigner, renderEvent } from './payload.ts'

/** The envelope as it stands after the change, and the start of the transaction that changes it, by the database. */
export type ChangedEnvelope = EventEnvelope & { now: Date }

/** One event about the envelope, for `insertOutbox`; signer events also name the signer. */
export function eventMessage(type: EventType, envelope: ChangedEnvelope, signer?: EventSigner): OutboxMessage {
  const body = renderEvent(type, envelope.now, envelope, signer)
  return { orderKey: envelope.id, subject: `sealwright.${type}`, body }
}

/** Records one event about the envelope. Several of one transaction go by one `insertOutbox` of their `eventMessage`s. */
export async function recordEvent(
  sql: Sql,
  orgId: OrgId,
  type: EventType,
  envelope: ChangedEnvelope,
  signer?: EventSigner,
): Promise<void> {
  await insertOutbox(sql, orgId, eventMessage(type, envelope, signer))
}
