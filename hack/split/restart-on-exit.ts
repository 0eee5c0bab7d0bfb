// Restarts one tier process whenever it exits, as a cluster would: soon at first, then with growing pauses.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts'

export interface TierProcess {
  name: string
  /** The tier's main file and its arguments, relative to the repository's root. */
  command: readonly string[]
  /** Called at each start. */
  environment: () => Promise<Readonly<Record<string, string>>>
  logFile: string
}

/** How a process ended that was not asked to stop. */
export interface Ending {
  name: string
  /** For example `exit code 1`. */
  how: string
  /** Its last output besides the log: the error messages of a process that cannot run. */
  words: string
}

/** Callbacks about a restarted process. */
export interface Watch {
  /** Its pid changed. */
  changed(): void
  /** It will be restarted. */
  ended(ending: Ending): void
}

export interface KeptProcess extends AsyncDisposable {
  name: string
  /** The pid of the running process; changes with each restart. */
  pid: () => number | undefined
  /** How each run of it ended, oldest first, for example `exit code 1`. */
  endings: readonly string[]
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5_000
/** A process that ran this long is restarted without delay. */
const STEADY_MS = 10_000
/** How many lines at the end of the log are searched. */
const MOST_LINES = 20
/** Longer than every tier's own grace period. */
const STOP_WITHIN_MS = 15_000

/** Starts the process and restarts it whenever it exits. Disposing stops it and waits for its exit. */
export function restartOnExit(tier: TierProcess, watch: Watch): KeptProcess {
  const stop = new AbortController()
  const endings: string[] = []
  let child: ServerProcess | undefined
  async function run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (!stop.signal.aborted) {
      const startedAt = performance.now()
      const started = (child = await start(tier))
      watch.changed()
      // The stop came during the start, so `child` was not set yet.
      if (stop.signal.aborted) await started.stop()
      const how = await started.exited
      child = undefined
      endings.push(how)
      if (stop.signal.aborted) return
      pauseMs = performance.now() - startedAt > STEADY_MS ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      watch.ended({ name: tier.name, how, words: lastWords(started) })
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

/** Log lines of running work may follow the message. */
function lastWords(process: ServerProcess): string {
  const lines = process.logTail(MOST_LINES).split('\n')
  return lines.filter((line) => !line.startsWith('{')).join('\n')
}

/** This process's Node options, such as a preloaded module, also apply to the tiers and their threads. */
async function start({ command, environment, logFile }: TierProcess): Promise<ServerProcess> {
  return startServerProcess(process.execPath, [...process.execArgv, ...command], {
    env: { PATH: process.env['PATH'] ?? '', ...(await environment()) },
    folder: ROOT,
    stopSignal: 'SIGTERM',
    lastSignal: 'SIGKILL',
    stopWithinMs: STOP_WITHIN_MS,
    logFile,
    keepLog: true,
  })
}
