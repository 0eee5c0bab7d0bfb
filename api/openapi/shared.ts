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
      'Makes repeating safe: the first answer is kept for 24 h and given again. Another request with the same key is refused.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS, pattern: '^[ -~]+$' },
  },
}

const HEADERS: OpenApiDocument['components']['headers'] = {
  'X-Request-Id': { description: 'Names this request in our log.', schema: { type: 'string', pattern: '^[0-9a-f]{32}$' } },
  'Retry-After': { description: 'Seconds after which the request may be repeated.', schema: { type: 'integer', minimum: 0 } },
  RateLimit: {
    description: 'What is left of the limit that is nearest (IETF draft, RateLimit header fields).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit and its window (IETF draft, RateLimit header fields).',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the kept answer to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': { description: 'The scheme that is due.', schema: { type: 'string' } },
}

const RESPONSES: OpenApiDocument['components']['responses'] = {
  Unauthorised: {
    description: 'No credentials, or credentials that are not good here. Without a body.',
    headers: { 'WWW-Authenticate': headerReference('WWW-Authenticate'), 'X-Request-Id': headerReference('X-Request-Id') },
  },
  NotSignedIn: {
    description: 'Nobody is signed in, or not with this pair. Without a body.',
    headers: { 'X-Request-Id': headerReference('X-Request-Id') },
  },
  PermissionMissing: {
    description: 'The token is good, and lacks the role or the permission. Without a body.',
    headers: { 'WWW-Authenticate': headerReference('WWW-Authenticate'), 'X-Request-Id': headerReference('X-Request-Id') },
  },
  Forbidden: {
    description: 'The caller is known but lacks the role or the permission. Without a body.',
    headers: { 'X-Request-Id': headerReference('X-Request-Id') },
  },
  InternalError: {
    description: '`INTERNAL_ERROR`: a fault of ours. The trace id names it in our log.',
    headers: { 'X-Request-Id': headerReference('X-Request-Id') },
    content: { 'application/json': { schema: ERROR_BODY } },
  },
}
