// Events are rows of the transaction that they report, in which a trigger also plans their deliveries (see core/webhook): a crash after the commit loses none,
// and a rollback sends none.
import { randomUUID } from 'node:crypto'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { type EventEnvelope, type EventSigner, renderEvent } from './payload.ts'
import { insertEvents, type NewEvent } from './store.ts'

/** The envelope after the change, and the start of the transaction that changes it, by the database clock. */
export type ChangedEnvelope = EventEnvelope & { id: EnvelopeId; now: Date }

export interface EventToRecord {
  type: EventType
  envelope: ChangedEnvelope
  /** Only for signer events. */
  signer?: EventSigner | undefined
  /** True: receivers get it only after its release. */
  isHeld?: boolean
}

/** The rows of rendered events, for `insertEvents`. */
export function newEvents(...events: readonly EventToRecord[]): NewEvent[] {
  return events.map(({ type, envelope, signer, isHeld = false }) => {
    const id = randomUUID()
    const rendered = render(() => renderEvent(type, envelope.now, envelope, signer, id))
    return { id, envelopeId: envelope.id, type, ...rendered, isHeld }
  })
}

/** An event that cannot be rendered is recorded without a body: it must not undo the change that it reports. */
function render(event: () => object): Pick<NewEvent, 'body' | 'buildError'> {
  try {
    return { body: JSON.stringify(event()), buildError: null }
  } catch (error) {
    return { body: null, buildError: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Records the events of one transaction in order. Their deliveries are planned by Postgres: the trigger plan_deliveries() on `events`
 * (core/schema/migrations/0017_webhook.sql) inserts into `deliveries`, `delivery_jobs` and `outbox` when an event is released, which is at once unless it is held.
 */
export async function recordEvents(sql: Sql, orgId: OrgId, ...events: readonly EventToRecord[]): Promise<void> {
  await insertEvents(sql, orgId, newEvents(...events))
}
