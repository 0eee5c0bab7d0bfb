// What went wrong with a call to the API, as data. Pages decide by `code`; sentences for people come from the locale.

export type Failure =
  /** No answer arrived: the network is down or the request was cut off. */
  | { kind: 'network' }
  /** The API said no. `code` is empty where the answer had no readable body (a proxy's error page). */
  | {
      kind: 'answer'
      status: number
      code: string
      retryAfterSeconds: number | undefined
      /** The service's own sentence, in English; it names the fields of a VALIDATION_FAILED. */
      message?: string
    }

export type Outcome<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

export const NETWORK_FAILURE: Failure = { kind: 'network' }

/** The code of an API answer, or undefined when there was no answer. */
export function codeOf(failure: Failure): string | undefined {
  return failure.kind === 'answer' ? failure.code : undefined
}

/** Builds the failure of an answered request from its status, parsed body (anything) and Retry-After header. */
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

// RFC 9110, 10.2.3 also allows a date; our API and the usual proxies send seconds.
function readRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined
}
