// The rate of writes to the API server, which all kinds share: a long backlog must not be a burden for the cluster.
import { type RuntimeClock, wait } from '../runtime/runtime-clock.ts'
import { newTokenBucket } from '../runtime/token-bucket.ts'

/** Each call resolves when its write is due. Throws the reason of the signal. */
export function newWriteLimit(perSecond: number, clock: RuntimeClock, signal: AbortSignal): () => Promise<void> {
  const bucket = newTokenBucket({ burst: perSecond, everyMs: 1000 / perSecond }, clock)
  return async () => {
    const ms = bucket.reserve()
    if (ms > 0) await wait(clock, ms, signal)
    signal.throwIfAborted()
  }
}
