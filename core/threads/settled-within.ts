import { setTimeout as delay } from 'node:timers/promises'

/** Resolves when the promise has settled, whichever way, or its time is over. */
export async function settledWithin(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const timer = new AbortController()
  await Promise.race([
    promise.then(
      () => undefined,
      () => undefined,
    ),
    delay(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined),
  ])
  timer.abort()
}
