// How a call to the API server fails. No message contains a token, a key or the content of an object.

/** What the API server sends with an error, and in `ERROR` events of a watch. */
export interface KubeStatus {
  code?: number
  reason?: string
  message?: string
  details?: { retryAfterSeconds?: number; causes?: { reason?: string; message?: string; field?: string }[] }
}

/** For answers without a Status, such as that for a kind that is not served. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/** The API server refused a request. */
export class KubeError extends Error {
  override readonly name = 'KubeError'
  readonly status: number
  /** For example `NotFound`, `Conflict`, `Invalid`, `Forbidden`, `Expired`; `Unknown` when neither the answer nor its status names one. */
  readonly reason: string
  /** The delay that the server requests before the next attempt. */
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

/** The error for a Status that the server sent, `fallback` being the HTTP status of the answer. */
export function kubeErrorOf(status: KubeStatus, fallback: number, retryAfter?: string): KubeError {
  const code = status.code ?? fallback
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : status.details?.retryAfterSeconds
  const message = status.message ?? `The API server answered ${code}.`
  return new KubeError(
    code,
    status.reason || (REASONS[code] ?? 'Unknown'),
    message,
    seconds === undefined ? undefined : seconds * 1_000,
  )
}
