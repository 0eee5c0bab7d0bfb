// The client over HTTP: a deadline for each call, one retry with new credentials, typed errors.
import type { Dispatcher } from 'undici'
import { type CallLimit, describeCall, limitCall } from './call-limit.ts'
import type { Credentials } from './credentials.ts'
import type { KubeClient, KubeRequest } from './kube-client.ts'
import { kubeErrorOf, type KubeError, KubeUnreachable, type KubeStatus } from './kube-error.ts'
import type { KubePool } from './kube-pool.ts'
import { readWatch } from './read-watch.ts'

type Answer = Dispatcher.ResponseData

/** A client on the pool's connections. `prefix` is the path of the server's address, usually empty. */
export function newKubeClient(pool: KubePool, prefix: string, credentials: Credentials): KubeClient {
  async function send(request: KubeRequest, signal: AbortSignal): Promise<Answer> {
    const { authorization, tls } = await credentials.current()
    try {
      return await pool.dispatcherFor(tls).request({
        method: request.method,
        path: prefix + request.path + queryOf(request),
        headers: headersOf(request, authorization),
        signal,
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      })
    } catch (cause) {
      // The authority or our certificate may have been replaced.
      credentials.expire()
      throw cause
    }
  }

  /** An answer that is a success. Throws KubeError for every other. */
  async function answerTo(request: KubeRequest, signal: AbortSignal): Promise<Answer> {
    const answer = await send(request, signal)
    if (answer.statusCode < 300) return answer
    const error = await errorOf(request, answer)
    if (error.status !== 401 || !(await credentials.reread())) throw error
    const second = await send(request, signal)
    if (second.statusCode < 300) return second
    throw await errorOf(request, second)
  }

  function failureOf(limit: CallLimit, cause: unknown): unknown {
    const error = limit.errorFor(cause)
    if (error instanceof KubeUnreachable && error.reason === 'deadline') pool.renew()
    return error
  }

  return {
    async request<T>(request: KubeRequest): Promise<T> {
      using limit = limitCall(request)
      try {
        const answer = await answerTo(request, limit.signal)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server serves what the path names; the caller knows its schema
        return parseObject(request, await answer.body.text()) as T
      } catch (cause) {
        throw failureOf(limit, cause)
      }
    },
    async *watch(given, onBytes) {
      const request: KubeRequest = { ...given, method: 'GET' }
      // Its disposal also ends the connection when the caller leaves the loop.
      using limit = limitCall(request)
      try {
        const answer = await answerTo(request, limit.signal)
        limit.lift()
        yield* readWatch(answer.body, onBytes)
      } catch (cause) {
        throw failureOf(limit, cause)
      }
    },
  }
}

function queryOf({ query }: KubeRequest): string {
  const pairs = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

function headersOf(request: KubeRequest, authorization: string | undefined): Record<string, string> {
  return {
    accept: request.accept ?? 'application/json',
    'user-agent': 'sealwright',
    ...(authorization !== undefined && { authorization }),
    ...(request.body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
  }
}

async function errorOf(request: KubeRequest, answer: Answer): Promise<KubeError> {
  const text = await answer.body.text()
  const { statusCode } = answer
  const retryAfter = answer.headers['retry-after']
  const known = kubeErrorOf(statusOf(text), statusCode, Array.isArray(retryAfter) ? retryAfter[0] : retryAfter)
  // What the server says about the content of a Secret may quote it.
  if (!request.path.includes('/secrets') || ![400, 422].includes(statusCode)) return known
  return kubeErrorOf({ reason: known.reason, message: `${describeCall(request)}: refused as invalid` }, statusCode)
}

/** A proxy may answer with a page. */
function statusOf(text: string): KubeStatus {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

function parseObject(request: KubeRequest, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the text, which may be a Secret.
    throw new KubeUnreachable('malformed', `${describeCall(request)}: the answer is not JSON`)
  }
}
