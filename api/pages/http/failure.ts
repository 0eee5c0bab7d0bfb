// A failed API call as data. Pages decide by `code`; the locale provides the texts.

export type Failure =
  /** No response: the network is down or the request was cut off. */
  | { kind: 'network' }
  /** The API responded with an error. `code` is empty if the response had no readable body (a proxy's error page). */
  | {
      kind: 'answer'
      status: number
      code: string
      retryAfterSeconds: number | undefined
      /** The service's message, in English; for VALIDATION_FAILED it names the fields. */
      message?: string
    }

export type Outcome<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

export const NETWORK_FAILURE: Failure = { kind: 'network' }

/** The code of an API error, or undefined if there was no response. */
export function codeOf(failure: Failure): string | undefined {
  return failure.kind === 'answer' ? failure.code : undefined
}

/** Builds the failure from the status, the parsed body (anything) and the Retry-After header. */
export function failureFromAnswer(status: number, body: unknown, retryAfter: string | null): Failure {
  const message = readText(body, 'message')
  const retryAfterSeconds = readRetryAfter(retryAfter)
  return { kind: 'answer', status, code: readText(body, 'code'), retryAfterSeconds, ...(message && { message }) }
}

function readText(body: unknown, name: 'code' | 'message'): string {
  if (typeof body !== 'object' || body === null) return ''
  const value: unknown = Reflect.get(body, name)
  return typeof value === 'string' ? value : ''
}

// RFC 9110, 10.2.3 also allows a date; our API and common proxies send seconds.
function readRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined
}
