// Starts roles in order and retries those that cannot start yet; a running role recovers on its own.
import type { Logger } from '#core/platform/log.ts'
import { type Checks, required } from '#core/platform/process/health-checks.ts'
import { toGrantsError } from '#core/platform/postgres/startup-error.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { drainWithDeadline } from './drain-with-deadline.ts'
import type { Loop } from './loop.ts'
import { sleep } from '#core/platform/process/sleep.ts'

export interface Role {
  name: string
  /** Resolves when the role runs; disposing lets running jobs finish. Starts no job after the signal is aborted, and may throw then. */
  start: (signal: AbortSignal) => Promise<Loop>
}

export interface Supervisor extends AsyncDisposable {
  /** Resolves when every role has started or the supervisor was stopped; rejects as `failed` does. */
  started: Promise<void>
  /** Rejects when a role can never start or continue; never resolves. */
  failed: Promise<never>
  /** The roles' own checks, and one per role: whether it runs. */
  ready(): Checks
  /** One check per role: whether it makes progress. */
  alive: Checks
  /** The dependencies that the running roles opened. */
  lines(): string[]
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** Far longer than any job takes. */
const STUCK_AFTER_MS = 10 * 60_000

/**
 * Starts the roles in the background. Disposing stops all of them concurrently, including those that are starting: no new jobs, and some
 * seconds for running ones, at most `finishWithinMs`.
 */
export function superviseRoles(roles: readonly Role[], log: Logger, finishWithinMs?: number): Supervisor {
  const stop = new AbortController()
  const errors = new Map<string, string | undefined>(roles.map(({ name }) => [name, 'not started yet']))
  const running = new Map<string, Loop>()
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  // Not awaited when the process ends for another reason.
  failed.catch(() => {})
  async function startAll(): Promise<void> {
    for (const role of roles) {
      const started = await startRole(role, log, stop.signal, (message) => errors.set(role.name, message))
      if (!started) return
      // It started after the stop, which did not dispose of it.
      if (stop.signal.aborted) return drainWithDeadline(role.name, started, log, finishWithinMs)
      running.set(role.name, started)
      started.failed?.catch(fail)
      log.info({ role: role.name }, 'role.started')
    }
  }
  const started = startAll()
  const starting = started.catch(fail)
  return {
    started,
    failed,
    ready: () => ({
      ...checksOf(roles, (name) => errors.get(name)),
      ...Object.assign({}, ...Array.from(running.values(), ({ checks }) => checks)),
    }),
    lines: () => Array.from(running.values(), ({ lines }) => lines ?? []).flat(),
    alive: checksOf(roles, (name) => {
      const busyForMs = running.get(name)?.busyForMs() ?? 0
      return busyForMs > STUCK_AFTER_MS ? `at one piece of work for ${Math.round(busyForMs / 1000)} s` : undefined
    }),
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.all([starting, ...Array.from(running, ([name, loop]) => drainWithDeadline(name, loop, log, finishWithinMs))])
    },
  }
}

function checksOf(roles: readonly Role[], errorOf: (name: string) => string | undefined): Checks {
  const check = (name: string) =>
    required(async () => {
      const message = errorOf(name)
      if (message !== undefined) throw new Error(message)
    })
  return Object.fromEntries(roles.map(({ name }) => [name, check(name)]))
}

/** Undefined after a stop. Throws a StartupError, which no retry can fix. */
async function startRole(
  { name, start }: Role,
  log: Logger,
  signal: AbortSignal,
  report: (message: string | undefined) => void,
): Promise<Loop | undefined> {
  const throttledLog = newThrottledLog(log, 'role.not_started')
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      const started = await start(signal)
      report(undefined)
      return started
    } catch (thrown) {
      if (signal.aborted) return undefined
      const error = toGrantsError(thrown)
      if (error instanceof StartupError && error.consequence === 'exits') throw error
      const sentence = error instanceof Error ? error.message : String(error)
      report(sentence)
      throttledLog.report(`${name}: ${sentence}`)
      await sleep(pauseMs, signal)
    }
  }
  return undefined
}
