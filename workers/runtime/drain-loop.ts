// A loop that drains a queue when it is notified, and at every poll. Errors do not end it.
import type { Logger } from '#core/platform/log.ts'
import { type FailureLog, newFailureLog } from '#core/platform/process/failure-log.ts'
import { type Loop, newStopwatch } from './loop.ts'

export interface DrainLoopOptions {
  /** For log lines. */
  name: string
  /** Processes due work or a part of it; true when more may be due. Throws only errors that affect all work, such as a lost database. */
  step: () => Promise<boolean>
  /** Poll interval. */
  pollMs: number
  /** Pause after a step, so that several notifications cost one step. */
  restMs: number
  /** Steps that run at a time. */
  concurrency: number
  log: Logger
}

export interface DrainLoop extends Loop {
  /** Signals that work may be due. */
  notify: () => void
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/** Starts the loop. Disposing lets running steps finish and starts no new ones. */
export function startDrainLoop(options: DrainLoopOptions): DrainLoop {
  const stop = new AbortController()
  const watch = newStopwatch()
  const failures = newFailureLog(options.log, 'loop.failed')
  const watched = { ...options, failures, step: () => watch.time(options.step) }
  const loops = Array.from({ length: options.concurrency }, () => startLoop(watched, stop.signal))
  return {
    busyForMs: watch.longestMs,
    notify: () => {
      const idle = loops.find(({ isIdle }) => isIdle())
      // When all loops are busy, the next one to finish checks again before it sleeps.
      for (const loop of idle ? [idle] : loops) loop.notify()
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.all(loops.map(({ finished }) => finished))
    },
  }
}

interface SingleLoop {
  notify: () => void
  isIdle: () => boolean
  finished: Promise<void>
}

function startLoop(
  { name, step, pollMs, restMs, failures }: DrainLoopOptions & { failures: FailureLog },
  signal: AbortSignal,
): SingleLoop {
  let wake: () => void = () => {}
  let notified = true
  let idle = false
  let pauseMs = FIRST_PAUSE_MS
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  signal.addEventListener('abort', () => wake())
  async function run(): Promise<void> {
    while (!signal.aborted) {
      notified = false
      try {
        const more = await step()
        pauseMs = FIRST_PAUSE_MS
        failures.worked()
        if (more || signal.aborted) continue
        if (restMs > 0) await sleep(restMs)
        if (notified || signal.aborted) continue
        idle = true
        await sleep(pollMs)
        idle = false
      } catch (error) {
        failures.failed(error, { loop: name, pauseMs })
        if (!signal.aborted) await sleep(pauseMs)
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      }
    }
  }
  return {
    notify: () => {
      notified = true
      if (!idle) return
      // Cleared at once, so that a notification in the same tick goes to another loop.
      idle = false
      wake()
    },
    isIdle: () => idle,
    finished: run(),
  }
}
