// The payload of an event (Spec, Events, Payload): a snapshot, without download links.
import { randomUUID } from 'node:crypto'
import type { EventType } from '#core/messaging/subjects.ts'

/** The version of the API, repeated in every event. */
export const API_VERSION = '2026-08-09'

export interface EventEnvelope {
  id: string
  title: string
  status: string
  createdAt: Date
  expiresAt: Date | null
}

export interface EventSigner {
  id: string
  email: string
  name: string
  signOrder: number
  status: string
  signedAt: Date | null
}

/** The event as it will be delivered, rendered once; `at` is the database's time. */
export function renderEvent(type: EventType, at: Date, envelope: EventEnvelope, signer?: EventSigner, eventId = randomUUID()) {
  const { id, title, status, createdAt, expiresAt } = envelope
  return {
    id: eventId,
    type,
    apiVersion: API_VERSION,
    createdAt: at.toISOString(),
    data: {
      envelope: { id, title, status, createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null },
      ...(signer && {
        signer: {
          id: signer.id,
          email: signer.email,
          name: signer.name,
          signOrder: signer.signOrder,
          status: signer.status,
          signedAt: signer.signedAt?.toISOString() ?? null,
        },
      }),
    },
  }
}
