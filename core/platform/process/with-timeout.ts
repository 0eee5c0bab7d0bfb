// Waits with a time limit.
import { sleep } from './sleep.ts'

/** The promise's result. Throws when it takes longer; a late result is ignored. */
export async function withTimeout<Result>(promise: Promise<Result>, milliseconds: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when the promise has settled either way, or the time is over. */
export async function waitAtMost(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const done = new AbortController()
  await Promise.race([Promise.allSettled([promise]), sleep(milliseconds, done.signal)])
  done.abort()
}
