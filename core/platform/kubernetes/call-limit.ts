// What ends one call early: its deadline, or its caller.
import { KubeUnreachable } from './kube-error.ts'
import type { KubeRequest } from './kube-client.ts'

export interface CallLimit extends Disposable {
  /** Aborted by the deadline, by the caller's signal and when disposed. */
  signal: AbortSignal
  /** From now on only the caller ends the call. */
  lift(): void
  /** What to throw for a failure of the call: the reason when it was ended early, otherwise KubeUnreachable. */
  errorFor(cause: unknown): unknown
}

const DEADLINE_MS = 30_000

/** Starts the deadline. Throws the signal's reason when it is aborted already. */
export function limitCall(request: KubeRequest): CallLimit {
  request.signal?.throwIfAborted()
  const milliseconds = request.timeoutMs ?? DEADLINE_MS
  const ended = new AbortController()
  const endByCaller = () => ended.abort(request.signal?.reason)
  request.signal?.addEventListener('abort', endByCaller, { once: true })
  const timer = setTimeout(() => {
    ended.abort(new KubeUnreachable('deadline', `${describeCall(request)}: no answer within ${milliseconds / 1_000} s`))
  }, milliseconds)
  return {
    signal: ended.signal,
    lift: () => clearTimeout(timer),
    errorFor: (cause) => (ended.signal.aborted ? ended.signal.reason : toKnownError(request, cause)),
    [Symbol.dispose]() {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', endByCaller)
      ended.abort()
    },
  }
}

/** Without the query, which may be long. */
export function describeCall({ method, path }: KubeRequest): string {
  return `${method} ${path}`
}

function toKnownError(request: KubeRequest, cause: unknown): unknown {
  if (!(cause instanceof Error) || cause.name.startsWith('Kube')) return cause
  return new KubeUnreachable('connection', `${describeCall(request)}: ${cause.message || cause.name}`, cause)
}
