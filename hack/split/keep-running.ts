// Keeps one process of a tier running, as a cluster would: whatever ends by itself is started again, soon at first, later with longer pauses.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts'

export interface TierProcess {
  name: string
  /** The tier's main file and its arguments, from the root of the repository. */
  command: readonly string[]
  environment: Readonly<Record<string, string>>
  logFile: string
}

export interface KeptProcess extends AsyncDisposable {
  name: string
  /** Of the process that runs now; changes when it was started again. */
  pid: () => number | undefined
  /** How each of its lives has ended, oldest first, as in `exit code 1`. */
  endings: readonly string[]
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5_000
/** Whoever has run so long is started again at once. */
const STEADY_MS = 10_000
/** Longer than the grace that every tier takes for itself. */
const STOP_WITHIN_MS = 15_000

/** Starts the process and calls `changed` whenever its pid has. Disposing asks it to stop and waits until it has. */
export function keepRunning(tier: TierProcess, changed: () => void): KeptProcess {
  const stop = new AbortController()
  const endings: string[] = []
  let child: ServerProcess | undefined
  async function run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (!stop.signal.aborted) {
      const startedAt = performance.now()
      child = await start(tier)
      changed()
      // Asked to stop while it was starting: nobody else knows of it yet.
      if (stop.signal.aborted) await child.stop()
      const ended = await child.exited
      child = undefined
      endings.push(ended)
      if (stop.signal.aborted) return
      pauseMs = performance.now() - startedAt > STEADY_MS ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      console.log(`${tier.name} ended (${ended}); starting it again.`)
      await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    name: tier.name,
    pid: () => child?.pid,
    endings,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await child?.stop()
      await running
    },
  }
}

/** What this process's Node was told on its command line, such as a module to load first, holds for the tiers and their threads as well. */
function start({ command, environment, logFile }: TierProcess): Promise<ServerProcess> {
  return startServerProcess(process.execPath, [...process.execArgv, ...command], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    folder: ROOT,
    stopSignal: 'SIGTERM',
    lastSignal: 'SIGKILL',
    stopWithinMs: STOP_WITHIN_MS,
    logFile,
    keepLog: true,
  })
}
