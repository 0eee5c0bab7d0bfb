// Events are rows of the transaction that makes them true: a crash after the commit loses none, and a rollback sends none.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { insertOutbox, type OutboxMessage } from '#core/messaging/outbox-store.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { type EventEnvelope, type EventSigner, renderEvent } from './payload.ts'
import { insertEvents, type NewEvent, type ReleasedEvent } from './store.ts'

/** The envelope as it stands after the change, and the start of the transaction that changes it, by the database. */
export type ChangedEnvelope = EventEnvelope & { id: EnvelopeId; now: Date }

export interface EventToRecord {
  type: EventType
  envelope: ChangedEnvelope
  /** Of signer events. */
  signer?: EventSigner | undefined
  /** True: no receiver gets it before it is released. */
  isHeld?: boolean
}

/** The rows of events, rendered, for `insertEvents`. */
export function newEvents(...events: readonly EventToRecord[]): NewEvent[] {
  return events.map(({ type, envelope, signer, isHeld = false }) => {
    const event = renderEvent(type, envelope.now, envelope, signer)
    return { id: event.id, envelopeId: envelope.id, type, body: JSON.stringify(event), isHeld }
  })
}

/** What notifies of the events that are not held, for `insertOutbox`: ids only. */
export function eventMessages(orgId: OrgId, events: readonly (ReleasedEvent & { isHeld?: boolean })[]): OutboxMessage[] {
  return events
    .filter(({ isHeld }) => !isHeld)
    .map(({ id, envelopeId, type }) => ({
      orderKey: envelopeId,
      subject: `sealwright.${type}`,
      body: { orgId, envelopeId, eventId: id },
    }))
}

/** Records events of one transaction in their order. */
export async function recordEvents(sql: Sql, orgId: OrgId, ...events: readonly EventToRecord[]): Promise<void> {
  const rows = newEvents(...events)
  await Promise.all([insertEvents(sql, orgId, rows), insertOutbox(sql, orgId, ...eventMessages(orgId, rows))])
}
