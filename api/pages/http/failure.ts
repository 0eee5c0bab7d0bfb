// What went wrong with a call to the API, as data. Pages decide by `code`; sentences for people come from the locale.

export type Failure =
  /** No answer arrived: the network is down or the request was cut off. */
  | { kind: 'network' }
  /** The API said no. `code` is empty where the answer had no readable body (a proxy's error page). */
  | { kind: 'answer'; status: number; code: string; retryAfterSeconds: number | undefined }

export type Outcome<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

export const NETWORK_FAILURE: Failure = { kind: 'network' }

/** The code of an API answer, or undefined when there was no answer. */
export function codeOf(failure: Failure): string | undefined {
  return failure.kind === 'answer' ? failure.code : undefined
}

/** Builds the failure of an answered request from its status, parsed body (anything) and Retry-After header. */
export function failureFromAnswer(status: number, body: unknown, retryAfter: string | null): Failure {
  return { kind: 'answer', status, code: readCode(body), retryAfterSeconds: readRetryAfter(retryAfter) }
}

function readCode(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('code' in body)) return ''
  return typeof body.code === 'string' ? body.code : ''
}

// RFC 9110, 10.2.3 also allows a date; our API and the usual proxies send seconds.
function readRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined
}
