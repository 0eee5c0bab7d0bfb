// The six events as webhooks. Spec, "Events".
import type { EnvelopeStatus } from '#core/envelope/rules.ts'
import { EVENT_TYPES, type EventType } from '#core/messaging/subjects.ts'
import { WebhookEvent } from '../schemas/webhook-event.ts'
import { exampleOf } from './example.ts'
import { isRecord, type SchemaCollector } from './schemas.ts'
import type { JsonSchema, OpenApiDocument, Parameter, PathItem } from './types.ts'

/** The tag of the events. */
export const EVENTS = {
  name: 'Events',
  description:
    'Events that the service sends to webhooks. All six have the same body; `data.signer` is present in `signer.*` events only.',
}

/** When each event occurs, and the status of the envelope and the signer afterwards. */
const FACTS: Record<EventType, { when: string; status: EnvelopeStatus; signer?: 'SIGNED' | 'VIEWED' }> = {
  'envelope.sent': { when: 'An envelope was sent', status: 'SENT' },
  'envelope.completed': { when: 'All signers have signed; the sealed copies are available', status: 'COMPLETED' },
  'envelope.cancelled': { when: 'An envelope was cancelled', status: 'CANCELLED' },
  'envelope.expired': { when: 'An envelope expired before all signers signed', status: 'EXPIRED' },
  'signer.signed': { when: 'A signer has signed; others may still be pending', status: 'IN_PROGRESS', signer: 'SIGNED' },
  'signer.viewed': {
    when: 'A signer has opened the documents for the first time, after the one-time code if one is required',
    status: 'SENT',
    signer: 'VIEWED',
  },
}

const EVENT_ID = '9b1c3c0e-5a2f-4c3f-8a77-1d2f0f1f6a10'
const SIGNER_ID = '5d0f8a52-7c1e-4f0b-9a36-2b8e4d7c1f03'

const HEADERS: readonly Parameter[] = [
  header(
    'X-Svc-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 of `<t>.<raw body>` with the signing secret. There are two `v1` while a secret is being rotated; accept either. Compare in constant time, and reject a `t` that differs from your clock by more than 300 s.',
  ),
  header('X-Svc-Event-Id', 'The same on every retry. An event can arrive more than once; use this to ignore duplicates.'),
  header('X-Svc-Event-Type', 'The type, as in the body.'),
  {
    name: 'X-Svc-Test',
    in: 'header',
    required: false,
    description:
      'Only in tests and probes, which are about the envelope `00000000-0000-0000-0000-000000000000`. Answer with 2xx and ignore them.',
    schema: { type: 'string', enum: ['true'] },
  },
]

/** One entry per event type. */
export function describeWebhooks(schemas: SchemaCollector): NonNullable<OpenApiDocument['webhooks']> {
  const { schema } = schemas.use(WebhookEvent)
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, describeEvent(type, schema, schemas)]))
}

function describeEvent(type: EventType, schema: object, schemas: SchemaCollector): PathItem {
  const example = exampleOf({ ...schema }, schemas.components)
  return {
    post: {
      operationId: `on${type.split(/[._]/).map(capitalise).join('')}`,
      summary: FACTS[type].when,
      tags: [EVENTS.name],
      security: [],
      parameters: [...HEADERS],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { ...schema },
            example: isRecord(example) ? exampleEvent(type, example) : example,
          },
        },
      },
      responses: {
        '2XX': {
          description:
            'Accepted. Any other answer, or none within 15 s, is a failure; the service retries after 1 min, 5 min, 30 min, 2 h and 12 h.',
        },
      },
    },
  }
}

/** The plain example with the type and its specific fields. */
function exampleEvent(type: EventType, example: JsonSchema): JsonSchema {
  const { status, signer: signerStatus } = FACTS[type]
  const { envelope, signer } = isRecord(example['data']) ? example['data'] : {}
  const common = { ...example, id: EVENT_ID, type, data: { envelope: { ...(isRecord(envelope) ? envelope : {}), status } } }
  if (!signerStatus || !isRecord(signer)) return common
  const signedAt = signerStatus === 'SIGNED' ? signer['signedAt'] : null
  return { ...common, data: { ...common.data, signer: { ...signer, id: SIGNER_ID, status: signerStatus, signedAt } } }
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
