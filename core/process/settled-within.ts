import { pause } from './pause.ts'

/** Resolves when the promise has settled, whichever way, or its time is over. */
export async function settledWithin(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const done = new AbortController()
  await Promise.race([Promise.allSettled([promise]), pause(milliseconds, done.signal)])
  done.abort()
}
