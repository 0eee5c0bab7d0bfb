// Retries a dependency that the start requires, with exponential back-off, and logs what it waits for.
import { sleep } from './sleep.ts'
import type { ThrottledLog } from './throttled-log.ts'
import { StartupError } from '../errors/startup-error.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** Calls `attempt` until it succeeds and returns its result. Throws a StartupError that ends the process, any other kind of error, and the signal's
 *  reason. */
export async function retryStart<Result>(
  attempt: () => Promise<Result>,
  log: ThrottledLog,
  signal: AbortSignal,
): Promise<Result> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted()
    try {
      const result = await attempt()
      log.recovered()
      return result
    } catch (error) {
      // A shutdown closes what `attempt` was using; that error is not logged.
      signal.throwIfAborted()
      if (!(error instanceof StartupError) || error.consequence === 'exits') throw error
      log.report(error.message)
    }
    await sleep(pauseMs, signal)
  }
}
