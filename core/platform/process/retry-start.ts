// Back-off of whatever must work before anything else can: soon at first, then ever later, and never for ever in silence.
import { sleep } from './sleep.ts'
import type { ThrottledLog } from './throttled-log.ts'
import { StartupError } from './startup-error.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** Calls `attempt` until it succeeds and answers its result. Throws the StartupError that ends the process, whatever else is no StartupError, and the
 *  signal's reason. */
export async function retryStart<Result>(
  attempt: () => Promise<Result>,
  log: ThrottledLog,
  signal: AbortSignal,
): Promise<Result> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted()
    try {
      const result = await attempt()
      log.cured()
      return result
    } catch (error) {
      // Whoever stops closes what was being asked, which is no fault to tell.
      signal.throwIfAborted()
      if (!(error instanceof StartupError) || error.consequence === 'exits') throw error
      log.tell(error.message)
    }
    await sleep(pauseMs, signal)
  }
}
