// Turns errors into responses. Details of internal errors are logged with the request's trace id and never sent.
import { STATUS_CODES } from 'node:http'
import { DomainError, type UsedUpLimit } from '#core/platform/errors/domain-error.ts'
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import { ForbiddenError } from '#core/account/workspace/forbidden.ts'
import type { Logger } from '#core/platform/log.ts'
import { BodyLimitError } from '#core/platform/http/read-within.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { fromPostgresError } from '#core/platform/postgres/postgres-error.ts'
import type { NextFunction, Request, Response } from 'express'
import { PanelAuthError, UnauthorisedError } from './auth-errors.ts'
import { redactPath } from '../middleware/redact-path.ts'
import { STATUS_OF_KIND } from './status-of-kind.ts'
import { traceIdOf } from '../middleware/trace.ts'

/** The default when the error does not say how soon to retry. */
const DEFAULT_RETRY_SECONDS = 5

/** Express' last handler. */
export function errorHandler(log: Logger) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) {
      next(error)
      return
    }
    const known = isUnreadableToken(error, request) ? new DomainError('SIGNING_LINK_NOT_FOUND') : toDomainError(error)
    if (known instanceof UnauthorisedError) answerBearer(response, known.status, known.invalidToken)
    else if (known instanceof PanelAuthError) response.status(known.status).end()
    else if (known instanceof ForbiddenError && isBearer(request)) answerBearer(response, 403)
    else if (known instanceof ForbiddenError) response.status(403).end()
    else if (known instanceof DomainError) answerDomainError(request, response, known, log)
    else answerInternalError(request, response, error, log)
  }
}

/** A token with broken percent-escapes is malformed as well. */
function isUnreadableToken(error: unknown, { path }: Request): boolean {
  return error instanceof URIError && path.startsWith('/api/v1/sign/')
}

/** RFC 6750, 3: without a token in the request the challenge has no error. */
function answerBearer(response: Response, status: 401 | 403, invalidToken?: string): void {
  const error = invalidToken === undefined ? '' : ` error="invalid_token", error_description="${invalidToken}"`
  response.set('WWW-Authenticate', `Bearer${error}`)
  response.status(status).end()
}

/** The panel uses cookies, so its responses name no scheme. */
function isBearer(request: Request): boolean {
  return request.headers.authorization !== undefined
}

function answerDomainError(request: Request, response: Response, error: DomainError, log: Logger): void {
  if (error.kind === 'unavailable') log.warn({ reason: causeOf(error), traceId: traceIdOf(request) }, 'request.unavailable')
  const retryAfterSeconds = error.retryAfterSeconds ?? (error.kind === 'unavailable' ? DEFAULT_RETRY_SECONDS : undefined)
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds))
  if (error.limit) setLimitHeaders(response, error.limit, retryAfterSeconds)
  response.status(STATUS_OF_KIND[error.kind]).json(domainErrorBody(request, error))
}

/** The cause's message; where the error was noticed adds nothing. */
function causeOf({ cause, message }: DomainError): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : message
}

/** Reported beside the limits that the request passed (draft-ietf-httpapi-ratelimit-headers). */
function setLimitHeaders(
  response: Response,
  { name, count, left = 0, windowSeconds }: UsedUpLimit,
  retryAfterSeconds: number | undefined,
): void {
  const beside = (header: string, item: string): string => [response.get(header), item].filter(Boolean).join(', ')
  const policy = `"${name}";q=${count}${windowSeconds === undefined ? '' : `;w=${windowSeconds}`}`
  const state = `"${name}";r=${left}${retryAfterSeconds === undefined ? '' : `;t=${retryAfterSeconds}`}`
  response.set({ 'RateLimit-Policy': beside('RateLimit-Policy', policy), RateLimit: beside('RateLimit', state) })
}

/** The body of an error response. */
export function domainErrorBody(request: Request, { kind, code, message, quota }: DomainError) {
  return { ...errorBody(request, STATUS_OF_KIND[kind], code, message), ...(quota && { quota }) }
}

function answerInternalError(request: Request, response: Response, error: unknown, log: Logger): void {
  log.error({ err: error, path: redactPath(request.originalUrl), traceId: traceIdOf(request) }, 'request.failed')
  response.status(500).json(errorBody(request, 500, 'INTERNAL_ERROR', 'Something went wrong on our side.'))
}

function errorBody(request: Request, status: number, code: ErrorCode | 'INTERNAL_ERROR', message: string) {
  return {
    status,
    error: STATUS_CODES[status] ?? 'Error',
    code,
    message,
    path: redactPath(request.originalUrl),
    timestamp: new Date().toISOString(),
    traceId: traceIdOf(request),
  }
}

const CODE_OF_PARSER: Partial<Record<string, ErrorCode>> = {
  'entity.parse.failed': 'MALFORMED_JSON',
  'entity.too.large': 'PAYLOAD_TOO_LARGE',
  'encoding.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
  'charset.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
  'request.aborted': 'VALIDATION_FAILED',
  'request.size.invalid': 'VALIDATION_FAILED',
}

/** Maps errors of body parsers and drivers to the error catalogue. */
export function toDomainError(error: unknown): unknown {
  if (error instanceof BodyLimitError) return ofBodyLimit(error)
  if (error instanceof URIError) return new DomainError('VALIDATION_FAILED', { message: 'The path is not valid.' })
  if (error instanceof Error && 'type' in error && typeof error.type === 'string') {
    const code = CODE_OF_PARSER[error.type]
    if (code) return new DomainError(code, { cause: error })
  }
  // Other client errors of a body parser, such as a compressed body that cannot be decompressed.
  if (isBadRequest(error)) return new DomainError('MALFORMED_JSON', { cause: error })
  return fromStorageError(fromPostgresError(error))
}

function isBadRequest(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400
}

function ofBodyLimit(error: BodyLimitError): DomainError {
  const code = error.exceeded === 'bytes' ? 'PAYLOAD_TOO_LARGE' : 'VALIDATION_FAILED'
  return new DomainError(code, { message: error.message, cause: error })
}

/** A missing or changed object is an internal error; an unreachable or full store is worth a retry. */
function fromStorageError(error: unknown): unknown {
  const passes = error instanceof StorageError && !['missing', 'corrupt', 'range'].includes(error.reason)
  return passes ? new DomainError('SERVICE_UNAVAILABLE', { cause: error }) : error
}
