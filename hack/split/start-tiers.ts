// The processes of the tiers, and whether they are ready: each is asked itself, on its own port for metrics, so that nobody else can answer for it.
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { publicUrlOf } from '#core/installation/open-core.ts'
import { newConcurrentDisposal } from '#core/platform/process/concurrent-disposal.ts'
import { toListenError } from '#core/platform/process/listen-error.ts'
import { sleep } from '#core/platform/process/sleep.ts'
import { freePort } from '../servers/free-port.ts'
import { type Ending, type KeptProcess, restartOnExit } from './restart-on-exit.ts'

export interface TiersOptions {
  /** One process each, as a cluster would run them; the command is the tier's main file and its arguments. */
  processes: readonly { name: string; command: readonly string[] }[]
  /** Of all of them. With SEALWRIGHT_METRICS_PORT each has its own, counted from there; else any free ones. */
  environment: Readonly<Record<string, string>>
  /** That of the settings. */
  host: string
  /** Takes the logs, and `processes.json`, which says which process is which. */
  folder: string
}

export interface Tiers extends AsyncDisposable {
  /** Resolves when all are ready at once for the first time. Throws what a process said that ended by its own fault before, and the signal's reason. */
  untilReady(signal: AbortSignal): Promise<void>
}

const READY_POLL_MS = 50
/** That of a process which has told what is wrong; starting it again would not help. */
const OWN_FAULT = 'exit code 1'

/** Starts all processes and keeps them running. Throws when a given port is taken. */
export async function startTiers({ processes, environment, host, folder }: TiersOptions): Promise<Tiers> {
  const firstPort = Number(environment['SEALWRIGHT_METRICS_PORT'] ?? 0)
  await assertFree(host, firstPort ? processes.map((_, index) => firstPort + index) : [0])
  const stack = new AsyncDisposableStack()
  const fault = new AbortController()
  let isReady = false
  const ended = (ending: Ending): void => {
    if (isReady || ending.how !== OWN_FAULT) console.log(describeRestart(ending))
    else fault.abort(new Error(describeFault(ending, folder)))
  }
  const kept: KeptProcess[] = []
  const pids = recordPids(path.join(folder, 'processes.json'), kept)
  stack.defer(pids.written)
  // As in a cluster, where nobody waits for the others: each has its whole grace.
  const running = stack.use(newConcurrentDisposal())
  const ports = new Map<string, number>()
  for (const [index, { name, command }] of processes.entries()) {
    const ownEnvironment = async () => {
      const port = firstPort ? firstPort + index : await freePort(host)
      ports.set(name, port)
      return { ...environment, SEALWRIGHT_METRICS_PORT: String(port) }
    }
    const tier = { name, command, environment: ownEnvironment, logFile: path.join(folder, `${name}.log`) }
    kept.push(running.use(restartOnExit(tier, { changed: pids.changed, ended })))
  }
  return {
    async untilReady(signal) {
      const over = AbortSignal.any([signal, fault.signal])
      while (!isReady) {
        const said = await Promise.all(processes.map(({ name }) => saysReady(host, ports.get(name), over)))
        over.throwIfAborted()
        isReady = said.every(Boolean)
        if (!isReady) await sleep(READY_POLL_MS, over)
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Before anything of ours listens there: a stranger would be taken for it until it has ended. */
async function assertFree(host: string, ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    await freePort(host, port).catch((cause) => {
      throw toListenError(cause, host, port, 'SEALWRIGHT_METRICS_PORT')
    })
  }
}

async function saysReady(host: string, port: number | undefined, signal: AbortSignal): Promise<boolean> {
  if (port === undefined) return false
  const answer = await fetch(`${publicUrlOf({ host, port })}/readyz`, { signal }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200
}

/** Writes them down whenever it is told that one of them has changed. */
function recordPids(file: string, kept: readonly KeptProcess[]): { changed: () => void; written: () => Promise<void> } {
  let writing: Promise<void> = Promise.resolve()
  return {
    changed() {
      const pids = Object.fromEntries(kept.map(({ name, pid }) => [name, pid()]))
      writing = writing.then(() => writeFile(`${file}.new`, JSON.stringify(pids))).then(() => rename(`${file}.new`, file))
    },
    written: () => writing,
  }
}

function describeRestart({ name, how, words }: Ending): string {
  return `${name} exited (${how}) and is restarted.${words && ` Last output: ${words}`}`
}

function describeFault({ name, how, words }: Ending, folder: string): string {
  return `${name} exited (${how}). ${words || `See ${path.join(folder, `${name}.log`)}.`}`
}
