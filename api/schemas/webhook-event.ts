// The payload of a webhook. Spec, "Events".
import { API_VERSION } from '#core/event/payload.ts'
import { EVENT_TYPES } from '#core/messaging/subjects.ts'
import { z } from 'zod'
import { DateTime, Uuid } from './scalars.ts'
import { EnvelopeStatus } from './envelope.ts'
import { SignerResponse } from './signer.ts'

const EventEnvelope = z
  .object({
    id: Uuid,
    title: z.string(),
    status: EnvelopeStatus,
    createdAt: DateTime,
    expiresAt: DateTime.nullable().describe('Null when there is no expiry.'),
  })
  .meta({ id: 'EventEnvelope', description: 'The envelope at the time of the event; no links to files.' })

export const WebhookEvent = z
  .object({
    id: Uuid.describe('The same on every retry; also in the header `X-Svc-Event-Id`.'),
    type: z.enum(EVENT_TYPES),
    apiVersion: z.string().meta({ examples: [API_VERSION] }),
    createdAt: DateTime,
    data: z.object({
      envelope: EventEnvelope,
      signer: SignerResponse.optional(),
    }),
  })
  .meta({
    id: 'WebhookEvent',
    description: 'One fact about an envelope or a signer. `data.signer` is there in `signer.*` events only.',
  })
