// Synthetic events: of tests and probes. They look like a real event of a subscribed type, about an envelope with a fixed id that never exists.
import type { EventType } from '#core/messaging/subjects.ts'
import { newEvents } from '#core/event/record-event.ts'
import type { NewEvent } from '#core/event/store.ts'
import { EnvelopeId } from '#core/ids.ts'
import { TEST_ENVELOPE_ID } from './rules.ts'

const STATUS_OF_TYPE: Readonly<Record<EventType, string>> = {
  'envelope.sent': 'SENT',
  'envelope.completed': 'COMPLETED',
  'envelope.cancelled': 'CANCELLED',
  'envelope.expired': 'EXPIRED',
  'signer.signed': 'IN_PROGRESS',
  'signer.viewed': 'SENT',
}

export type SyntheticEvent = NewEvent & { body: string }

/** An event for `insertEvents`; nothing is planned for it. */
export function newSyntheticEvent(type: EventType, now: Date): SyntheticEvent {
  const envelope = {
    id: EnvelopeId.parse(TEST_ENVELOPE_ID),
    title: 'Test event: this envelope does not exist',
    status: STATUS_OF_TYPE[type],
    createdAt: now,
    expiresAt: null,
    now,
  }
  const signer = type.startsWith('signer.') ? syntheticSigner(type, now) : undefined
  const [event] = newEvents({ type, envelope, signer })
  if (!event?.body) throw new Error(`The synthetic event cannot be rendered: ${event?.buildError}`)
  return { ...event, body: event.body }
}

function syntheticSigner(type: EventType, now: Date) {
  const isSigned = type === 'signer.signed'
  return {
    id: TEST_ENVELOPE_ID,
    email: 'signer@example.test',
    name: 'Test signer',
    signOrder: 1,
    status: isSigned ? 'SIGNED' : 'VIEWED',
    signedAt: isSigned ? now : null,
  }
}
