// Starts roles in their order and keeps trying those that cannot start yet; a role that runs mends its own faults.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '#core/log.ts'
import type { Checks } from '#core/process/checks.ts'
import type { Loop } from './loop.ts'

export interface Role {
  name: string
  /** Resolves when the role is at work; disposing of it lets running work finish. */
  start: () => Promise<Loop>
}

export interface Supervisor extends AsyncDisposable {
  /** One check a role: is it at work. */
  ready: Checks
  /** One check a role: does it get anywhere. */
  alive: Checks
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** Far beyond what any piece of work may take. */
const STUCK_AFTER_MS = 10 * 60_000

/** Starts the roles in the background; disposing stops them side by side, also those whose start is under way. */
export function superviseRoles(roles: readonly Role[], log: Logger): Supervisor {
  const stop = new AbortController()
  const faults = new Map<string, string | undefined>(roles.map(({ name }) => [name, 'not started yet']))
  const running = new Map<string, Loop>()
  async function startAll(): Promise<void> {
    for (const role of roles) {
      const started = await startRole(role, log, stop.signal, (fault) => faults.set(role.name, fault))
      if (!started) return
      running.set(role.name, started)
    }
  }
  const starting = startAll()
  return {
    ready: Object.fromEntries(
      roles.map(({ name }) => [
        name,
        async () => {
          const fault = faults.get(name)
          if (fault !== undefined) throw new Error(fault)
        },
      ]),
    ),
    alive: Object.fromEntries(
      roles.map(({ name }) => [
        name,
        async () => {
          const busyForMs = running.get(name)?.busyForMs() ?? 0
          if (busyForMs > STUCK_AFTER_MS) throw new Error(`at one piece of work for ${Math.round(busyForMs / 1000)} s`)
        },
      ]),
    ),
    async [Symbol.asyncDispose]() {
      stop.abort()
      await starting
      await Promise.all(Array.from(running.values(), (role) => role[Symbol.asyncDispose]()))
    },
  }
}

async function startRole(
  { name, start }: Role,
  log: Logger,
  signal: AbortSignal,
  report: (fault: string | undefined) => void,
): Promise<Loop | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      const started = await start()
      report(undefined)
      log.info({ role: name }, 'role.started')
      return started
    } catch (error) {
      report(error instanceof Error ? error.message : String(error))
      log.error({ err: error, role: name, pauseMs }, 'role.not_started')
      await delay(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
  return undefined
}
