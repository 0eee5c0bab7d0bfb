// Paths that are no routes: the token endpoint with its own error format, probes, and the OpenAPI document itself.
import type { z } from 'zod'
import { Liveness, Readiness } from '../schemas/health.ts'
import { KeySet, ServerMetadata, TokenError, TokenRequest, TokenResponse } from '../schemas/oauth.ts'
import { exampleOf } from './example.ts'
import type { SchemaCollector } from './schemas.ts'
import { tagOf } from './tags.ts'
import type { Answer, OpenApiDocument, Operation } from './types.ts'

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const CHALLENGED = { ...REQUEST_ID, 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } }
const RETRIED = { ...REQUEST_ID, 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
const LIMITED = {
  ...RETRIED,
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
}

/** The paths of `http/auth/token-endpoint.ts`, `http/mounts/health.ts` and `http/mounts/description.ts`. */
export function servicePaths(schemas: SchemaCollector): OpenApiDocument['paths'] {
  const answer = (description: string, schema: z.ZodType, headers: Answer['headers'] = REQUEST_ID): Answer => {
    const { schema: used } = schemas.use(schema)
    const example = exampleOf(used, schemas.components)
    return { description, headers, content: { 'application/json': { schema: used, example } } }
  }
  const read = (operationId: string, path: string, summary: string, responses: Operation['responses']) => ({
    [path]: { get: { operationId, summary, tags: [tagOf(path)], security: [], responses } },
  })
  return {
    '/oauth2/token': { post: issueToken(schemas, answer) },
    ...read('getKeys', '/oauth2/jwks', 'Get the public keys of access tokens', {
      200: answer('The key set.', KeySet),
      500: { $ref: '#/components/responses/InternalError' },
      503: refused('SERVICE_UNAVAILABLE', RETRIED),
    }),
    ...read('getServerMetadata', '/.well-known/oauth-authorization-server', 'Authorization server metadata', {
      200: answer('The metadata.', ServerMetadata),
    }),
    ...read('isAlive', '/livez', 'Liveness probe', { 200: answer('The process is alive.', Liveness) }),
    ...read('isReady', '/readyz', 'Readiness probe', {
      200: answer('Ready; with `degraded`, some checks fail.', Readiness),
      503: answer('Not ready: a required check fails.', Readiness),
    }),
    ...read('getDescription', '/openapi.json', 'This OpenAPI document', {
      200: { description: 'OpenAPI 3.1.', headers: REQUEST_ID, content: { 'application/json': { schema: { type: 'object' } } } },
    }),
  }
}

type Answering = (description: string, schema: z.ZodType, headers?: Answer['headers']) => Answer

function issueToken(schemas: SchemaCollector, answer: Answering): Operation {
  const { schema } = schemas.use(TokenRequest)
  return {
    operationId: 'issueToken',
    summary: 'Exchange client id and secret for an access token',
    description:
      'Send the client id and secret either in the form or by HTTP Basic, not both. Errors use the format of RFC 6749. There is no refresh token: request a new token instead.',
    tags: [tagOf('/oauth2/token')],
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema,
          example: { grant_type: 'client_credentials', client_id: 'CLIENT_ID', client_secret: 'CLIENT_SECRET' },
        },
      },
    },
    responses: {
      200: answer('The token.', TokenResponse),
      400: answer('`invalid_request`, `unsupported_grant_type` or `invalid_scope`.', TokenError),
      401: answer('`invalid_client`: unknown id or wrong secret. The answer is the same for both.', TokenError, CHALLENGED),
      429: refused('RATE_LIMITED', LIMITED),
      500: { $ref: '#/components/responses/InternalError' },
      503: refused('SERVICE_UNAVAILABLE', RETRIED),
    },
  }
}

function refused(code: string, headers: Answer['headers']): Answer {
  return {
    description: `\`${code}\`, in the error body of the API.`,
    headers: headers ?? REQUEST_ID,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorResponse' },
        examples: { [code]: { $ref: `#/components/examples/${code}` } },
      },
    },
  }
}
