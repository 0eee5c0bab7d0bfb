// The one error that core throws on purpose. Any other error is a bug or an outage and answers 500.
import { type ErrorCode, type ErrorKind, ERRORS } from './codes.ts'

/** How much of a quota an organisation has used; set on quota errors and shown to the caller. */
export interface QuotaUse {
  dimension: string
  limit: number
  current: number
}

/** The limit that was exceeded; only for the kind 'limit'. */
export interface UsedUpLimit {
  /** Name in lower case with hyphens. */
  name: string
  count: number
  /** What is left, which is less than requested; absent: nothing. */
  left?: number
  /** The window of the limit; absent when room does not come back with time. */
  windowSeconds?: number
}

export interface DomainErrorOptions {
  /** Replaces the catalogue's sentence when a more exact one exists. Never holds a secret. */
  message?: string
  quota?: QuotaUse
  limit?: UsedUpLimit
  /** Seconds after which the same request may succeed. */
  retryAfterSeconds?: number
  cause?: unknown
}

export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly kind: ErrorKind
  readonly quota: QuotaUse | undefined
  readonly limit: UsedUpLimit | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: DomainErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.kind = ERRORS[code].kind
    this.quota = options.quota
    this.limit = options.limit
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
