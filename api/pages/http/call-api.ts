// The one place where pages talk to the API. Same origin only, no cookies, no referrer: the signing token is in the path and must
// not leave by a header.
import { type Failure, failureFromAnswer, NETWORK_FAILURE, type Outcome } from './failure.ts'

export interface ApiCall {
  method: 'GET' | 'POST'
  path: string
  body?: Record<string, unknown>
  /** Lets the request outlive the page, for a record made while it is being left. */
  keepalive?: boolean
  signal?: AbortSignal
}

/**
 * Sends one request and returns its JSON, `undefined` for 204. Never throws: no answer, an error status and an unreadable body are failures.
 * The shape is the API's contract (same release, same origin), so it is not checked again here.
 */
export async function callApi<Value>(call: ApiCall): Promise<Outcome<Value>> {
  try {
    const response = await fetch(call.path, toRequestInit(call))
    if (!response.ok) return { ok: false, failure: await readFailure(response) }
    const value: Value = response.status === 204 ? undefined : JSON.parse(await response.text())
    return { ok: true, value }
  } catch {
    return { ok: false, failure: NETWORK_FAILURE }
  }
}

function toRequestInit(call: ApiCall): RequestInit {
  const init: RequestInit = {
    method: call.method,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    keepalive: call.keepalive ?? false,
    headers: { accept: 'application/json', ...(call.body && { 'content-type': 'application/json' }) },
  }
  if (call.body) init.body = JSON.stringify(call.body)
  if (call.signal) init.signal = call.signal
  return init
}

// An error answer may come from a proxy and be anything; a success that is cut off or not JSON counts as no answer.
async function readFailure(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => undefined)
  return failureFromAnswer(response.status, body, response.headers.get('retry-after'))
}
