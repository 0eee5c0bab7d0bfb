// A dependency without which a process can run: it is retried until it works, and meanwhile its last error is available.
import { sleep } from './sleep.ts'
import { waitAtMost } from './with-timeout.ts'
import type { ThrottledLog } from './throttled-log.ts'
import { StartupError } from '../errors/startup-error.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
const STOP_WITHIN_MS = 2_000

export interface DependencyMonitor extends AsyncDisposable {
  /** The last known error; undefined while it works. */
  lastError: () => string | undefined
  /** Reports that it failed in use: it is retried until it works again. Ignored while a retry is under way. */
  failed(sentence: string): void
}

/** Monitors a dependency from now on. Errors of any kind are logged, and `attempt` is repeated until it succeeds. */
export function monitorDependency(attempt: () => Promise<void>, log: ThrottledLog): DependencyMonitor {
  const stop = new AbortController()
  let lastError: string | undefined
  let trying: Promise<void> | undefined
  async function retryUntilWorking(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stop.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await sleep(pauseMs, stop.signal)
      if (stop.signal.aborted) return
      try {
        await attempt()
        lastError = undefined
        log.recovered()
        return
      } catch (error) {
        note(error instanceof Error ? error.message : String(error))
      }
    }
  }
  function note(sentence: string): void {
    lastError = sentence
    log.report(sentence)
  }
  return {
    lastError: () => lastError,
    failed(sentence) {
      // The running retry knows the current state.
      if (trying || stop.signal.aborted) return
      note(sentence)
      trying = retryUntilWorking().finally(() => (trying = undefined))
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      // An attempt may wait for a response longer than the shutdown allows.
      if (trying) await waitAtMost(trying, STOP_WITHIN_MS)
    },
  }
}

/** Tries the dependency. Throws an error that ends a process at start; other errors are logged and the attempt is retried. */
export async function openMonitored(attempt: () => Promise<void>, log: ThrottledLog): Promise<DependencyMonitor> {
  const monitor = monitorDependency(attempt, log)
  try {
    await attempt()
  } catch (error) {
    if (!(error instanceof StartupError) || error.consequence === 'exits') throw error
    monitor.failed(error.message)
  }
  return monitor
}
