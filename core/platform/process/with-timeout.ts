// Waiting with an end.
import { sleep } from './sleep.ts'

/** What the promise brings. Throws when that takes longer; what is late goes on, and nobody hears of it. */
export async function withTimeout<Result>(promise: Promise<Result>, milliseconds: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when the promise has settled, whichever way, or its time is over. */
export async function settledWithin(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const done = new AbortController()
  await Promise.race([Promise.allSettled([promise]), sleep(milliseconds, done.signal)])
  done.abort()
}
