// How a call to the API server fails. No message contains a token, a key or the content of an object.

/** What the API server sends with an error, and in `ERROR` events of a watch. */
export interface KubeStatus {
  code?: number
  reason?: string
  message?: string
  details?: { retryAfterSeconds?: number; causes?: { reason?: string; message?: string; field?: string }[] }
}

/** The API server refused a request. */
export class KubeError extends Error {
  override readonly name = 'KubeError'
  readonly status: number
  /** For example `NotFound`, `Conflict`, `Invalid`, `Forbidden`, `Expired`; `Unknown` when the answer did not name one. */
  readonly reason: string
  /** How long the server wants to be left alone. */
  readonly retryAfterMs?: number

  constructor(status: number, reason: string, message: string, retryAfterMs?: number) {
    super(message)
    this.status = status
    this.reason = reason
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
  }
}

/** No usable answer: no connection, no credentials, no answer before the deadline, or bytes that are not what the API server sends. */
export class KubeUnreachable extends Error {
  override readonly name = 'KubeUnreachable'
  readonly reason: 'connection' | 'credentials' | 'deadline' | 'malformed'

  constructor(reason: KubeUnreachable['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
