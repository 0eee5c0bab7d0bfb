// The one error that core throws on purpose. Everything else that is thrown is a fault of ours and answers 500.
import { type ErrorCode, type ErrorKind, ERRORS } from './codes.ts'

/** What an organisation has used of a quota; present on quota errors and shown to the caller. */
export interface QuotaUse {
  dimension: string
  limit: number
  current: number
}

/** The limit that keeps the request from being done, of the kind 'limit' alone. */
export interface UsedUpLimit {
  /** In lower case with hyphens. */
  name: string
  count: number
  /** What is left of it, which is less than was asked for; absent: nothing. */
  left?: number
  /** In which so many are allowed; absent where room comes back by other means than time. */
  windowSeconds?: number
}

export interface DomainErrorOptions {
  /** Replaces the catalogue's sentence where the caller can be told more exactly what is wrong. Never holds a secret. */
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
