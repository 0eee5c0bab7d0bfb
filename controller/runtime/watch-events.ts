// One watch of a kind, ended when it is silent for too long.
import type { KubeClient, KubeRequest } from '#core/platform/kubernetes/kube-client.ts'
import { kubeErrorOf } from '#core/platform/kubernetes/kube-error.ts'
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import type { RuntimeClock } from './runtime-clock.ts'
import { SilentWatch } from './watch-failure.ts'

/** The server ends each of our watches within 42 s and sends a bookmark before it does, so that a healthy one is never silent for this long. */
export const SILENT_AFTER_MS = 45_000

export interface ObjectEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  /** Object of the event; a bookmark has only its metadata. */
  object: T
}

export interface WatchCall {
  watches: KubeClient
  path: string
  query: NonNullable<KubeRequest['query']>
  signal: AbortSignal
  onBytes: () => void
  clock: RuntimeClock
}

/** The events of one watch, until the server closes it. Throws KubeError for an error that the server sent, with the answer or as an event;
 *  SilentWatch after 45 s without a byte; and what the client throws. */
export async function* watchEvents<T extends KubeObject>({
  watches,
  path,
  query,
  signal,
  onBytes,
  clock,
}: WatchCall): AsyncGenerator<ObjectEvent<T>> {
  const attempt = new AbortController()
  const stop = (): void => attempt.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  let lastByteAt = clock.elapsedMs()
  let watchdog = clock.after(SILENT_AFTER_MS, check)
  try {
    const received = (): void => {
      lastByteAt = clock.elapsedMs()
      onBytes()
    }
    for await (const event of watches.watch({ path, query, signal: attempt.signal }, received)) {
      if (event.type === 'ERROR') throw kubeErrorOf(event.object, 500)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the path names the kind, and the API server validates its objects
      yield { type: event.type, object: event.object as T }
    }
  } finally {
    watchdog[Symbol.dispose]()
    signal.removeEventListener('abort', stop)
    // Ends the request when the caller leaves the loop.
    attempt.abort()
  }

  function check(): void {
    const left = lastByteAt + SILENT_AFTER_MS - clock.elapsedMs()
    if (left > 0) watchdog = clock.after(left, check)
    else attempt.abort(new SilentWatch(`Watch: no byte for ${SILENT_AFTER_MS / 1000} s`))
  }
}
