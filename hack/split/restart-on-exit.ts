// Keeps one process of a tier running, as a cluster would: whatever ends by itself is started again, soon at first, later with longer pauses.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts'

export interface TierProcess {
  name: string
  /** The tier's main file and its arguments, from the root of the repository. */
  command: readonly string[]
  /** Asked for at the start of each of its lives. */
  environment: () => Promise<Readonly<Record<string, string>>>
  logFile: string
}

/** How one life of a process has ended that nobody had asked to stop. */
export interface Ending {
  name: string
  /** As in `exit code 1`. */
  how: string
  /** What it had written last beside its log: the sentences of a process that cannot run. */
  words: string
}

/** Whoever is told of a process that is kept running. */
export interface Watch {
  /** Its pid has changed. */
  changed(): void
  /** It is about to be started again. */
  ended(ending: Ending): void
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
/** Of the end of a log, that are looked through. */
const MOST_LINES = 20
/** Longer than the grace that every tier takes for itself. */
const STOP_WITHIN_MS = 15_000

/** Starts the process, again and again. Disposing asks it to stop and waits until it has. */
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
      // Asked to stop while it was starting: nobody else knows of it yet.
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

/** Lines of the log may follow, of work that was still under way. */
function lastWords(process: ServerProcess): string {
  const lines = process.logTail(MOST_LINES).split('\n')
  return lines.filter((line) => !line.startsWith('{')).join('\n')
}

/** What this process's Node was told on its command line, such as a module to load first, holds for the tiers and their threads as well. */
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
