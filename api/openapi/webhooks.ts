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
  description: 'What the service pushes to webhooks. One body for all six; `data.signer` is there in `signer.*` events.',
}

/** When each event occurs, and the envelope's status afterwards. */
const FACTS: Record<EventType, { when: string; status: EnvelopeStatus }> = {
  'envelope.sent': { when: 'An envelope was sent', status: 'SENT' },
  'envelope.completed': { when: 'Every signer has signed; the sealed copies can be fetched', status: 'COMPLETED' },
  'envelope.cancelled': { when: 'An envelope was cancelled', status: 'CANCELLED' },
  'envelope.expired': { when: 'An envelope reached its expiry without completing', status: 'EXPIRED' },
  'signer.signed': { when: 'A signer has signed; others may still have to', status: 'IN_PROGRESS' },
  'signer.viewed': {
    when: 'A signer has opened the documents for the first time, after the one-time code where one is due',
    status: 'SENT',
  },
}

const HEADERS: readonly Parameter[] = [
  header(
    'X-Svc-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 of `<t>.<raw body>` with the signing secret. Two `v1` while a secret is rotated; accept either, compare in constant time, and refuse a `t` more than 300 s away.',
  ),
  header('X-Svc-Event-Id', 'The same on every retry: deliveries come at least once.'),
  header('X-Svc-Event-Type', 'The type, as in the body.'),
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
            'Taken. Anything else, or no answer within 15 s, is a failure and is tried again after 1 m, 5 m, 30 m, 2 h and 12 h.',
        },
      },
    },
  }
}

/** The plain example with the type and its specific fields. */
function exampleEvent(type: EventType, example: JsonSchema): JsonSchema {
  const { envelope, signer } = isRecord(example['data']) ? example['data'] : {}
  const told = { envelope: { ...(isRecord(envelope) ? envelope : {}), status: FACTS[type].status } }
  return { ...example, type, data: type.startsWith('signer.') ? { ...told, signer } : told }
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
