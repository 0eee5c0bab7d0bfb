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
    expiresAt: DateTime.nullable().describe('Null if the envelope does not expire.'),
  })
  .meta({ id: 'EventEnvelope', description: 'The envelope at the time of the event. Contains no links to files.' })

export const WebhookEvent = z
  .object({
    id: Uuid.describe('The same on every retry. Also in the header `X-Svc-Event-Id`.'),
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
    description: 'An event of an envelope or a signer. `data.signer` is present in `signer.*` events only.',
  })
