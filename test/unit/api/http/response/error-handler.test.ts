import type { ErrorCode } from '#core/platform/errors/codes.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { ForbiddenError } from '#core/account/workspace/forbidden.ts'
import type { Logger } from '#core/platform/log.ts'
import type { Request, Response } from 'express'
import { describe, expect, test } from 'vitest'
import { UnauthorisedError } from '../../../../../api/http/response/auth-errors.ts'
import { errorHandler } from '../../../../../api/http/response/error-handler.ts'

/** The status of every code. Spec, "Errors"; decisions, "Token endpoint, errors, limits" and "Smaller points". */
const STATUS: Record<ErrorCode, number> = {
  VALIDATION_FAILED: 400,
  MALFORMED_JSON: 400,
  INVALID_STATUS: 400,
  PAGE_TOO_DEEP: 400,
  UNSUPPORTED_CONTENT_TYPE: 400,
  PASSWORD_SIGN_IN_OFF: 403,
  CSRF_TOKEN_INVALID: 403,
  SECOND_FACTOR_REQUIRED: 403,
  STEP_UP_REQUIRED: 403,
  OWN_FACTOR_RESET: 403,
  FACTOR_NOT_SET: 404,
  FACTOR_NOT_BEGUN: 404,
  FACTOR_ALREADY_SET: 409,
  FACTOR_CODE_WRONG: 422,
  ROUTE_NOT_FOUND: 404,
  ORGANISATION_NOT_FOUND: 404,
  ENVELOPE_NOT_FOUND: 404,
  DOCUMENT_NOT_FOUND: 404,
  WORKSPACE_NOT_FOUND: 404,
  SIGNING_LINK_NOT_FOUND: 404,
  SIGNED_COPY_NOT_AVAILABLE: 404,
  OTP_CHALLENGE_NOT_FOUND: 404,
  SETUP_LINK_NOT_FOUND: 404,
  PERSON_NOT_FOUND: 404,
  CREDENTIAL_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
  SIGNING_KEY_NOT_FOUND: 404,
  DOWNLOAD_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  IDEMPOTENCY_IN_PROGRESS: 409,
  ENVELOPE_NOT_DRAFT: 409,
  ENVELOPE_ALREADY_SENT: 409,
  ENVELOPE_NOT_CANCELLABLE: 409,
  ENVELOPE_CANNOT_BE_HELD: 409,
  ENVELOPE_NOT_OPEN: 409,
  ALREADY_SIGNED: 409,
  NOT_YOUR_TURN: 409,
  DOCUMENT_ALREADY_ATTACHED: 409,
  CREDENTIAL_WITHOUT_SECRET: 409,
  CREDENTIAL_REVOKED: 409,
  SECRET_ROTATION_IN_PROGRESS: 409,
  SECRET_ALREADY_SHOWN: 409,
  MANAGED_BY_KUBERNETES: 409,
  WEBHOOK_DISABLED: 409,
  DELIVERY_WITHOUT_BODY: 409,
  WORKSPACE_IS_GENERAL: 409,
  WORKSPACE_NOT_EMPTY: 409,
  WORKSPACE_NAME_TAKEN: 409,
  EMAIL_TAKEN: 409,
  LAST_ADMIN: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  HOST_NOT_ALLOWED: 421,
  IDEMPOTENCY_KEY_REUSED: 422,
  NO_SIGNERS: 422,
  NO_DOCUMENTS: 422,
  TOO_MANY_SIGNERS: 422,
  TOO_MANY_DOCUMENTS: 422,
  DUPLICATE_SIGN_ORDER: 422,
  WEBHOOK_LIMIT_REACHED: 422,
  WEBHOOK_URL_REFUSED: 422,
  EVENT_TYPE_NOT_SUBSCRIBED: 422,
  EXPIRY_OUT_OF_RANGE: 422,
  LABELS_INVALID: 422,
  DOCUMENT_TOO_LARGE: 422,
  DOCUMENT_INVALID: 422,
  DOCUMENT_ENCRYPTED: 422,
  DOCUMENT_TOO_COMPLEX: 422,
  DOCUMENT_XFA: 422,
  DOCUMENT_ACTIVE_CONTENT: 422,
  DOCUMENT_CHANGES_LOCKED: 422,
  DOCUMENT_SIGNATURE_BROKEN: 422,
  PASSWORD_WRONG: 422,
  PASSWORD_TOO_WEAK: 422,
  VIEW_REQUIRED: 422,
  OTP_REQUIRED: 422,
  OTP_NOT_REQUIRED: 422,
  SIGNATURE_IMAGE_INVALID: 422,
  QUOTA_EXCEEDED: 429,
  RATE_LIMITED: 429,
  OTP_SEND_LIMIT: 429,
  OTP_PAUSED: 429,
  SERVICE_UNAVAILABLE: 503,
}

interface Answer {
  status?: number
  headers: Record<string, string>
  body?: Record<string, unknown>
  /** The error passed on to Express' own handler. */
  passedOn?: unknown
  log: { level: string; fields: Record<string, unknown>; message: string }[]
}

/** The handler's response to an error; headers are not sent by default. */
function answerTo(error: unknown, { url = '/api/v1/envelopes', headersSent = false, headers = {}, set = {} } = {}): Answer {
  const answer: Answer = { headers: { ...set }, log: [] }
  const response = {
    headersSent,
    status: (status: number) => Object.assign(response, void (answer.status = status)),
    get: (name: string) => answer.headers[name],
    set: (name: string | Record<string, string>, value = '') =>
      void Object.assign(answer.headers, typeof name === 'string' ? { [name]: value } : name),
    json: (body: Record<string, unknown>) => void (answer.body = body),
    end: () => undefined,
  }
  const logAs = (level: string) => (fields: Record<string, unknown>, message: string) => {
    answer.log.push({ level, fields, message })
  }
  const log = { debug: logAs('debug'), info: logAs('info'), warn: logAs('warn'), error: logAs('error') }
  const handle = errorHandler(log as unknown as Logger)
  handle(
    error,
    { originalUrl: url, path: url, headers } as Request,
    response as unknown as Response,
    (passed) => void (answer.passedOn = passed),
  )
  return answer
}

describe('a domain error', () => {
  test.each(Object.entries(STATUS))('%s answers %d', (code, status) => {
    const error = new DomainError(code as ErrorCode)
    const { body, ...answer } = answerTo(error)
    expect(answer.status).toBe(status)
    expect(body).toEqual({
      status,
      error: expect.stringMatching(/^[A-Z][A-Za-z ]+$/),
      code,
      message: error.message,
      path: '/api/v1/envelopes',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      traceId: expect.any(String),
    })
  })

  test('shows the quota and Retry-After', () => {
    const quota = { dimension: 'STORAGE_BYTES', limit: 10, current: 9 }
    const { body, headers } = answerTo(new DomainError('QUOTA_EXCEEDED', { quota, retryAfterSeconds: 60 }))
    expect([body?.['quota'], headers]).toEqual([quota, { 'Retry-After': '60' }])
  })

  test('names the exhausted limit beside the limits that the request passed', () => {
    const limit = { name: 'codes-per-hour', count: 5, windowSeconds: 3_600 }
    const rates = { RateLimit: '"ceremony-token";r=9;t=1', 'RateLimit-Policy': '"ceremony-token";q=60;w=60' }
    const error = new DomainError('OTP_SEND_LIMIT', { limit, retryAfterSeconds: 60 })
    expect(answerTo(error, { set: rates }).headers).toEqual({
      'Retry-After': '60',
      RateLimit: '"ceremony-token";r=9;t=1, "codes-per-hour";r=0;t=60',
      'RateLimit-Policy': '"ceremony-token";q=60;w=60, "codes-per-hour";q=5;w=3600',
    })
    const room = new DomainError('QUOTA_EXCEEDED', { limit: { name: 'open-envelopes', count: 7 }, retryAfterSeconds: 9 })
    expect(answerTo(room).headers).toMatchObject({
      RateLimit: '"open-envelopes";r=0;t=9',
      'RateLimit-Policy': '"open-envelopes";q=7',
    })
  })

  test('about unavailability always has Retry-After', () => {
    expect(answerTo(new DomainError('SERVICE_UNAVAILABLE')).headers).toEqual({ 'Retry-After': '5' })
  })

  test.each([
    ['unreachable', 503],
    ['full', 503],
    ['denied', 503],
    ['missing', 500],
    ['corrupt', 500],
  ] as const)('of the object store that is %s answers %d', (reason, status) => {
    expect(answerTo(new StorageError(reason, 'no')).status).toBe(status)
  })

  test('is not logged as an internal error, but a lost server is, with its cause', () => {
    expect(answerTo(new DomainError('VIEW_REQUIRED')).log).toEqual([])
    const cause = new Error('lost')
    const { log } = answerTo(new DomainError('SERVICE_UNAVAILABLE', { cause }))
    expect(log).toMatchObject([{ level: 'warn', message: 'request.unavailable', fields: { reason: 'Error: lost' } }])
  })
})

describe('the security layer', () => {
  test.each([
    ['no token', new UnauthorisedError(401), {}, 401, { 'WWW-Authenticate': 'Bearer' }],
    [
      'a token that is not valid',
      new UnauthorisedError(401, 'It has expired.'),
      { authorization: 'Bearer x' },
      401,
      { 'WWW-Authenticate': 'Bearer error="invalid_token", error_description="It has expired."' },
    ],
    [
      'a token without the role',
      new UnauthorisedError(403),
      { authorization: 'Bearer x' },
      403,
      { 'WWW-Authenticate': 'Bearer' },
    ],
    [
      'a missing permission',
      new ForbiddenError('envelope:send'),
      { authorization: 'Bearer x' },
      403,
      { 'WWW-Authenticate': 'Bearer' },
    ],
    ['a missing permission in the panel', new ForbiddenError('envelope:send'), {}, 403, {}],
  ])('answers %s without a body', (_, error, headers, status, answered) => {
    expect(answerTo(error, { headers })).toEqual({ status, headers: answered, log: [] })
  })
})

describe('an internal error', () => {
  test.each([
    ['an error', new Error('password=hush column x')],
    ['a text', 'hush'],
    ['nothing', undefined],
  ])('answers 500 and tells nothing of %s, which is logged', (_, thrown) => {
    const { status, body, log } = answerTo(thrown)
    expect(status).toBe(500)
    expect(body).toMatchObject({ code: 'INTERNAL_ERROR', error: 'Internal Server Error' })
    expect(JSON.stringify(body)).not.toContain('hush')
    expect(log).toMatchObject([{ level: 'error', message: 'request.failed', fields: { err: thrown } }])
  })

  test('after the response has begun ends the connection', () => {
    const error = new Error('broke off')
    expect(answerTo(error, { headersSent: true })).toEqual({ headers: {}, log: [], passedOn: error })
  })

  test('shows no signing token, neither to the caller nor in the log', () => {
    const { body, log } = answerTo(new Error('x'), { url: '/api/v1/sign/SECRET/sign?x=SECRET' })
    expect(body?.['path']).toBe('/api/v1/sign/***/sign')
    expect(JSON.stringify(log)).not.toContain('SECRET')
  })
})

describe('an error of another library', () => {
  test.each([
    ['JSON that is none', Object.assign(new Error('x'), { type: 'entity.parse.failed' }), 400, 'MALFORMED_JSON'],
    ['a body too large', Object.assign(new Error('x'), { type: 'entity.too.large' }), 413, 'PAYLOAD_TOO_LARGE'],
    ['an unknown encoding', Object.assign(new Error('x'), { type: 'encoding.unsupported' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['an unknown charset', Object.assign(new Error('x'), { type: 'charset.unsupported' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a body that breaks off', Object.assign(new Error('x'), { type: 'request.aborted' }), 400, 'VALIDATION_FAILED'],
    [
      'a body of another length than it said',
      Object.assign(new Error('x'), { type: 'request.size.invalid' }),
      400,
      'VALIDATION_FAILED',
    ],
    ['a body that cannot be unpacked', Object.assign(new Error('x'), { status: 400 }), 400, 'MALFORMED_JSON'],
    ['a broken escape in the path', new URIError('x'), 400, 'VALIDATION_FAILED'],
    ['a lost database', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 503, 'SERVICE_UNAVAILABLE'],
    ['an unknown kind', Object.assign(new Error('x'), { type: 'stream.broken' }), 500, 'INTERNAL_ERROR'],
  ])('is answered in the terms of the catalogue: %s', (_, error, status, code) => {
    expect(answerTo(error)).toMatchObject({ status, body: { status, code } })
  })

  test('is an unknown signing link when its token has a broken escape', () => {
    const { status, body } = answerTo(new URIError('x'), { url: '/api/v1/sign/%ZZ/otp' })
    expect([status, body?.['code'], body?.['path']]).toEqual([404, 'SIGNING_LINK_NOT_FOUND', '/api/v1/sign/***/otp'])
  })
})
