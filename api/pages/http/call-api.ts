// The only module that calls the API. Same origin only, no referrer, and no cookie except for the panel's session: the signing token
// is in the path and must not leave in a header.
import { type Failure, failureFromAnswer, NETWORK_FAILURE, type Outcome } from './failure.ts'

export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown> | readonly unknown[]
  /** The language of texts in the response. */
  language?: string
  /** Lets the request outlive the page, for records made while leaving it. */
  keepalive?: boolean
  signal?: AbortSignal
  /** Sends the panel's cookie, and the CSRF token with changes. */
  session?: { csrfToken: string | undefined }
}

/**
 * Sends one request and returns its JSON, `undefined` for 204. Never throws: no response, an error status and an unreadable body are
 * failures. The type is the API's contract (same release, same origin), so it is not validated here.
 */
export async function callApi<Value>(call: ApiCall): Promise<Outcome<Value>> {
  return request(call, 'application/json', async (response) =>
    response.status === 204 ? undefined : JSON.parse(await response.text()),
  )
}

/** Fetches a file of the given media type; otherwise like `callApi`. */
export async function fetchFile(call: ApiCall, mediaType: string): Promise<Outcome<Blob>> {
  return request(call, mediaType, (response) => response.blob())
}

async function request<Value>(
  call: ApiCall,
  accept: string,
  read: (response: Response) => Promise<Value>,
): Promise<Outcome<Value>> {
  try {
    const response = await fetch(call.path, toRequestInit(call, accept))
    if (!response.ok) return { ok: false, failure: await readFailure(response) }
    return { ok: true, value: await read(response) }
  } catch {
    return { ok: false, failure: NETWORK_FAILURE }
  }
}

function toRequestInit(call: ApiCall, accept: string): RequestInit {
  const init: RequestInit = {
    method: call.method,
    cache: 'no-store',
    credentials: call.session ? 'same-origin' : 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    keepalive: call.keepalive ?? false,
    headers: {
      accept,
      ...(call.language && { 'accept-language': call.language }),
      ...(call.body && { 'content-type': 'application/json' }),
      ...(call.session?.csrfToken && call.method !== 'GET' && { 'x-csrf-token': call.session.csrfToken }),
    },
  }
  if (call.body) init.body = JSON.stringify(call.body)
  if (call.signal) init.signal = call.signal
  return init
}

// An error response may come from a proxy and be anything; a success that is incomplete or not JSON counts as no response.
async function readFailure(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => undefined)
  return failureFromAnswer(response.status, body, response.headers.get('retry-after'))
}
