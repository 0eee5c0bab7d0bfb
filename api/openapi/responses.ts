// The responses of an operation: success, and every error with its codes.
import { STATUS_CODES } from 'node:http'
import { type ErrorCode, ERRORS } from '#core/platform/errors/codes.ts'
import type { Route } from '../http/define-route.ts'
import { STATUS_OF_KIND } from '../http/response/status-of-kind.ts'
import { exampleOf } from './example.ts'
import { layersOf } from './middleware-responses.ts'
import { LINKS } from './links.ts'
import { ERROR_BODY, headerReference } from './shared.ts'
import type { SchemaCollector } from './schemas.ts'
import type { Answer, Reference } from './types.ts'

/** Every status of the operation, ascending. */
export function answersOf(route: Route, schemas: SchemaCollector): Record<string, Answer | Reference> {
  const { codes, bodiless, declared } = layersOf(route)
  const answers: Record<string, Answer | Reference> = { [route.success]: successOf(route, schemas) }
  for (const status of declared) answers[status] = errorResponse(status, [])
  for (const [status, known] of codesByStatus([...codes, ...route.errors])) answers[status] = errorResponse(status, known)
  for (const status of bodiless) answers[status] = withoutBody(route, status, answers[status])
  answers[500] = { $ref: '#/components/responses/InternalError' }
  return answers
}

/** The codes of each status, without duplicates. */
function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  return Map.groupBy(new Set(codes), (code) => STATUS_OF_KIND[ERRORS[code].kind])
}

function successOf(route: Route, schemas: SchemaCollector): Answer {
  const links = LINKS[route.operationId]
  const headers = namedHeaders([
    'X-Request-Id',
    ...('rates' in route && route.rates.length > 0 ? RATE_HEADERS : []),
    ...('idempotent' in route && route.idempotent ? ['Idempotency-Replayed'] : []),
  ])
  if (!route.response && !route.produces) return { description: 'Success, without a body.', headers }
  return {
    description: SUCCESS[route.success],
    headers,
    content: { ...jsonOf(route, schemas), ...filesOf(route) },
    ...(links && { links }),
  }
}

function jsonOf({ response }: Route, schemas: SchemaCollector): NonNullable<Answer['content']> {
  if (!response) return {}
  const { schema } = schemas.use(response)
  return { 'application/json': { schema, example: exampleOf(schema, schemas.components) } }
}

/** Files have no schema: OpenAPI 3.1 reads that as bytes of the media type. */
function filesOf({ produces = [] }: Route): NonNullable<Answer['content']> {
  return Object.fromEntries(produces.filter((type) => type !== 'application/json').map((type) => [type, {}]))
}

function errorResponse(status: number, codes: readonly ErrorCode[]): Answer {
  const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n')
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: description || `${STATUS_CODES[status]}. Reserved; not used at present.`,
    headers: headersOf(status),
    content: { 'application/json': { schema: ERROR_BODY, ...(codes.length > 0 && { examples }) } },
  }
}

function withoutBody({ audience }: Route, status: 401 | 403, withBody: Answer | Reference | undefined): Answer | Reference {
  const [unknown, forbidden] = audience.startsWith('panel') ? ['NotSignedIn', 'Forbidden'] : ['Unauthorised', 'PermissionMissing']
  if (!withBody) return { $ref: `#/components/responses/${status === 401 ? unknown : forbidden}` }
  const without =
    status === 401 ? 'Without a body: missing or invalid credentials.' : 'Without a body: missing role or permission.'
  return 'description' in withBody ? { ...withBody, description: `${without}\n\n${withBody.description}` } : withBody
}

function headersOf(status: number): Record<string, Reference> {
  return namedHeaders([
    'X-Request-Id',
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 429 ? RATE_HEADERS : []),
  ])
}

function namedHeaders(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, headerReference(name)]))
}

const SUCCESS = { 200: 'Success.', 201: 'Created.', 202: 'Accepted; it is done later.' }
const RATE_HEADERS = ['RateLimit', 'RateLimit-Policy']
