// The one error that core throws on purpose. Everything else that is thrown is a fault of ours and answers 500.
import { type ErrorCode, type ErrorKind, ERRORS } from './codes.ts'

/** What an organisation has used of a quota; present on quota errors and shown to the caller. */
export interface QuotaUse {
  dimension: string
  limit: number
  current: number
}

export interface DomainErrorOptions {
  /** Replaces the catalogue's sentence where the caller can be told more exactly what is wrong. Never holds a secret. */
  message?: string
  quota?: QuotaUse
  /** Seconds after which the same request may succeed. */
  retryAfterSeconds?: number
  cause?: unknown
}

export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly kind: ErrorKind
  readonly quota: QuotaUse | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: DomainErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.kind = ERRORS[code].kind
    this.quota = options.quota
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
