// A part without which a process goes on: it is tried until it works, and whoever asks meanwhile is told what is wrong.
import { sleep } from './sleep.ts'
import { settledWithin } from './with-timeout.ts'
import type { ThrottledLog } from './throttled-log.ts'
import { StartupError } from './startup-error.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
const STOP_WITHIN_MS = 2_000

export interface DependencyMonitor extends AsyncDisposable {
  /** What is wrong with it, as far as is known. */
  fault: () => string | undefined
  /** Says that it failed in use: it is tried until it works again. Without effect while that is under way. */
  failed(sentence: string): void
}

/** Watches a part from now on. Faults of whatever kind are told, and `attempt` is made until it succeeds. */
export function monitorDependency(attempt: () => Promise<void>, log: ThrottledLog): DependencyMonitor {
  const stop = new AbortController()
  let fault: string | undefined
  let trying: Promise<void> | undefined
  async function untilCured(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stop.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await sleep(pauseMs, stop.signal)
      if (stop.signal.aborted) return
      try {
        await attempt()
        fault = undefined
        log.cured()
        return
      } catch (error) {
        note(error instanceof Error ? error.message : String(error))
      }
    }
  }
  function note(sentence: string): void {
    fault = sentence
    log.tell(sentence)
  }
  return {
    fault: () => fault,
    failed(sentence) {
      // What is being tried anew knows better.
      if (trying || stop.signal.aborted) return
      note(sentence)
      trying = untilCured().finally(() => (trying = undefined))
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      // A try that waits for an answer may do so for longer than a process has.
      if (trying) await settledWithin(trying, STOP_WITHIN_MS)
    },
  }
}

/** Tries the part out. Throws what ends a process at its start; from then on faults of whatever kind are told, and the part is tried anew. */
export async function openMonitored(attempt: () => Promise<void>, log: ThrottledLog): Promise<DependencyMonitor> {
  const part = monitorDependency(attempt, log)
  try {
    await attempt()
  } catch (error) {
    if (!(error instanceof StartupError) || error.consequence === 'exits') throw error
    part.failed(error.message)
  }
  return part
}
