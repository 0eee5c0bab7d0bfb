// Reads which rows have changed, passes each change to its kind, and deletes those that Kubernetes shows.
import type { StorelessCore } from '#core/context.ts'
import { acknowledgeChanges } from '#core/mirror/acknowledge-changes.ts'
import { type Fence, FencedError } from '#core/mirror/fence.ts'
import { listChanges } from '#core/mirror/list-changes.ts'
import type { MirrorChange } from '#core/mirror/mirror-change.ts'
import { onMirrorChange } from '#core/mirror/on-mirror-change.ts'
import type { FailureLog } from '#core/platform/process/failure-log.ts'
import { type RuntimeClock, wait } from '../runtime/runtime-clock.ts'

export interface DrainOptions {
  core: StorelessCore
  fence: Fence
  clock: RuntimeClock
  failures: FailureLog
  signal: AbortSignal
  changed: (change: MirrorChange) => void
  fenced: (error: Error) => void
}

export interface Drain {
  acknowledge: (changes: readonly MirrorChange[]) => void
  /** How long the pass that runs now has been running; 0 between passes. */
  busyMs: () => number
  /** Resolves when the signal is aborted. */
  ended: Promise<void>
}

const POLL_MS = 1000
const PAGE = 1000
/** Changes read in one pass: beyond that the sweep of a restored database would fill the memory. */
const MOST_WAITING = 20_000

/** Runs until the signal is aborted. A notification of the database shortens the wait, so losing one costs a second. */
export function startDrain(options: DrainOptions): Drain {
  const { clock, signal } = options
  let settled: MirrorChange[] = []
  let wake = new AbortController()
  let passingSince: number | undefined
  const ended = run()
  return {
    acknowledge: (changes) => void settled.push(...changes),
    busyMs: () => (passingSince === undefined ? 0 : clock.elapsedMs() - passingSince),
    ended,
  }

  async function run(): Promise<void> {
    await using stack = new AsyncDisposableStack()
    let isListening = false
    while (!signal.aborted) {
      try {
        if (!isListening) stack.use(await onMirrorChange(options.core, () => wake.abort()))
        isListening = true
        passingSince = clock.elapsedMs()
        await pass()
        options.failures.worked()
      } catch (error) {
        if (error instanceof FencedError) return options.fenced(error)
        options.failures.failed(error, { loop: 'outbox' })
      }
      passingSince = undefined
      await wait(clock, POLL_MS, AbortSignal.any([signal, wake.signal]))
      wake = new AbortController()
    }
  }

  async function pass(): Promise<void> {
    const done = settled
    settled = []
    try {
      await acknowledgeChanges(options.core, options.fence, done)
    } catch (error) {
      settled.push(...done)
      throw error
    }
    let after = 0
    for (let read = 0; read < MOST_WAITING; read += PAGE) {
      const page = await listChanges(options.core, PAGE, after)
      for (const change of page) options.changed(change)
      if (page.length < PAGE) return
      after = page.at(-1)?.seq ?? after
    }
  }
}
