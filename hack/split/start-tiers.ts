// Starts the tiers' processes and checks their readiness, each on its own metrics port, so that no other process can answer.
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { publicUrlOf } from '#core/installation/open-core.ts'
import { newConcurrentDisposal } from '#core/platform/process/concurrent-disposal.ts'
import { toListenError } from '#core/platform/process/listen-error.ts'
import { sleep } from '#core/platform/process/sleep.ts'
import { freePort } from '../servers/free-port.ts'
import { type Ending, type KeptProcess, restartOnExit } from './restart-on-exit.ts'

export interface TiersOptions {
  /** One process each, as in a cluster; the command is the tier's main file and its arguments. */
  processes: readonly { name: string; command: readonly string[]; environment?: Readonly<Record<string, string>> }[]
  /** For all processes. With SEALWRIGHT_METRICS_PORT, ports count up from there; otherwise free ones are used. */
  environment: Readonly<Record<string, string>>
  /** The configured host. */
  host: string
  /** Receives the logs, and `processes.json` with each process's pid. */
  folder: string
}

/** Process ids by name; undefined while a process is between two runs. */
export type Pids = Readonly<Record<string, number | undefined>>

export interface Tiers extends AsyncDisposable {
  pids(): Pids
  /** Calls the function with the new pids whenever a process was started again. */
  onChange(changed: (pids: Pids) => void): void
  /** Resolves when all are ready at once for the first time. Throws the message of a process that failed before, and the signal's reason. */
  untilReady(signal: AbortSignal): Promise<void>
}

const READY_POLL_MS = 50
/** The exit code of a process that reported an error; a restart would not help. */
const FATAL_EXIT = 'exit code 1'

/** Starts all processes and restarts them on exit. Throws when a given port is taken. */
export async function startTiers({ processes, environment, host, folder }: TiersOptions): Promise<Tiers> {
  const firstPort = Number(environment['SEALWRIGHT_METRICS_PORT'] ?? 0)
  await assertFree(host, firstPort ? processes.map((_, index) => firstPort + index) : [0])
  const stack = new AsyncDisposableStack()
  const failure = new AbortController()
  let isReady = false
  const ended = (ending: Ending): void => {
    if (isReady || ending.how !== FATAL_EXIT) console.log(describeRestart(ending))
    else failure.abort(new Error(describeFailure(ending, folder)))
  }
  const kept: KeptProcess[] = []
  const readPids = (): Pids => Object.fromEntries(kept.map(({ name, pid }) => [name, pid()]))
  let onChange: (pids: Pids) => void = () => {}
  const pids = recordPids(path.join(folder, 'processes.json'), readPids)
  const changed = () => {
    pids.changed()
    onChange(readPids())
  }
  stack.defer(pids.written)
  // Stopped concurrently, as in a cluster: each has its full grace period.
  const running = stack.use(newConcurrentDisposal())
  const ports = new Map<string, number>()
  for (const [index, { name, command, environment: own }] of processes.entries()) {
    const ownEnvironment = async () => {
      const port = firstPort ? firstPort + index : await freePort(host)
      ports.set(name, port)
      return { ...environment, ...own, SEALWRIGHT_METRICS_PORT: String(port) }
    }
    const tier = { name, command, environment: ownEnvironment, logFile: path.join(folder, `${name}.log`) }
    kept.push(running.use(restartOnExit(tier, { changed, ended })))
  }
  return {
    pids: readPids,
    onChange: (callback) => void (onChange = callback),
    async untilReady(signal) {
      const over = AbortSignal.any([signal, failure.signal])
      while (!isReady) {
        const answers = await Promise.all(processes.map(({ name }) => isReadyAt(host, ports.get(name), over)))
        over.throwIfAborted()
        isReady = answers.every(Boolean)
        if (!isReady) await sleep(READY_POLL_MS, over)
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Checked before our processes listen: another program on the port would be mistaken for them. */
async function assertFree(host: string, ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    await freePort(host, port).catch((cause) => {
      throw toListenError(cause, host, port, 'SEALWRIGHT_METRICS_PORT')
    })
  }
}

async function isReadyAt(host: string, port: number | undefined, signal: AbortSignal): Promise<boolean> {
  if (port === undefined) return false
  const answer = await fetch(`${publicUrlOf({ host, port })}/readyz`, { signal }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200
}

/** Writes the pids to the file after every change. */
function recordPids(file: string, readPids: () => Pids): { changed: () => void; written: () => Promise<void> } {
  let writing: Promise<void> = Promise.resolve()
  return {
    changed() {
      const pids = readPids()
      writing = writing.then(() => writeFile(`${file}.new`, JSON.stringify(pids))).then(() => rename(`${file}.new`, file))
    },
    written: () => writing,
  }
}

function describeRestart({ name, how, words }: Ending): string {
  return `${name} exited (${how}) and is restarted.${words && ` Last output: ${words}`}`
}

function describeFailure({ name, how, words }: Ending, folder: string): string {
  return `${name} exited (${how}). ${words || `See ${path.join(folder, `${name}.log`)}.`}`
}
