// Components that operations refer to: the error body with an example per code, headers, common responses.
import { STATUS_CODES } from 'node:http'
import { ERRORS } from '#core/platform/errors/codes.ts'
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from '#core/limits.ts'
import { STATUS_OF_KIND } from '../http/response/status-of-kind.ts'
import type { OpenApiDocument, Reference } from './types.ts'

export const ERROR_BODY = { $ref: '#/components/schemas/ErrorResponse' }

/** A reference to one of the headers below. */
export function headerReference(name: string): Reference {
  return { $ref: `#/components/headers/${name}` }
}

/** Headers, common responses and one example per code: those that the paths use. */
export function sharedComponents(
  paths: OpenApiDocument['paths'],
): Pick<OpenApiDocument['components'], 'examples' | 'headers' | 'parameters' | 'responses'> {
  const text = JSON.stringify(paths)
  const responses = mentioned('responses', RESPONSES, text)
  return {
    examples: mentioned('examples', errorExamples(), text),
    headers: mentioned('headers', HEADERS, text + JSON.stringify(responses)),
    parameters: mentioned('parameters', PARAMETERS, text),
    responses,
  }
}

function mentioned<Part>(kind: string, parts: Record<string, Part>, text: string): Record<string, Part> {
  return Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
}

function errorExamples(): OpenApiDocument['components']['examples'] {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([code, { kind, message }]) => {
      const status = STATUS_OF_KIND[kind]
      const value = {
        status,
        error: STATUS_CODES[status],
        code,
        message,
        path: '/api/v1/envelopes',
        timestamp: '2026-11-21T09:30:00.000Z',
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        ...(code === 'QUOTA_EXCEEDED' && { quota: { dimension: 'OPEN_ENVELOPES', limit: 10_000, current: 10_000 } }),
      }
      return [code, { summary: message, value }]
    }),
  )
}

const PARAMETERS: OpenApiDocument['components']['parameters'] = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes retries safe: the first answer is stored for 24 hours, and a repeated request gets it again. A different request with the same key is rejected.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS, pattern: '^[ -~]+$' },
  },
}

const HEADERS: OpenApiDocument['components']['headers'] = {
  'X-Request-Id': {
    description: 'Identifies this request in the log of the service.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
  'Retry-After': { description: 'Seconds to wait before repeating the request.', schema: { type: 'integer', minimum: 0 } },
  RateLimit: {
    description: 'What is left of the limit that is closest to being used up (IETF draft, RateLimit header fields).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit and its window (IETF draft, RateLimit header fields).',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored answer to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': {
    description: '`Bearer`, and for a 401 to a token that was sent `error="invalid_token"` with an `error_description`.',
    schema: { type: 'string' },
  },
}

const RESPONSES: OpenApiDocument['components']['responses'] = {
  Unauthorised: {
    description: 'Missing or invalid credentials. Without a body.',
    headers: { 'WWW-Authenticate': headerReference('WWW-Authenticate'), 'X-Request-Id': headerReference('X-Request-Id') },
  },
  NotSignedIn: {
    description: 'Not signed in, or wrong email or password. Without a body.',
    headers: { 'X-Request-Id': headerReference('X-Request-Id') },
  },
  PermissionMissing: {
    description: 'The token is valid but lacks the required role or permission. Without a body.',
    headers: { 'WWW-Authenticate': headerReference('WWW-Authenticate'), 'X-Request-Id': headerReference('X-Request-Id') },
  },
  Forbidden: {
    description: 'The signed-in person lacks the required role or permission. Without a body.',
    headers: { 'X-Request-Id': headerReference('X-Request-Id') },
  },
  InternalError: {
    description: '`INTERNAL_ERROR`: an internal error. The trace id identifies it in the log of the service.',
    headers: { 'X-Request-Id': headerReference('X-Request-Id') },
    content: { 'application/json': { schema: ERROR_BODY } },
  },
}
