// The split run with two of every process: those of `split-service.ts`, and a second one of each on the same servers, with a balancer
// before the APIs.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../../hack/servers/free-port.ts'
import { restartOnExit } from '../../../hack/split/restart-on-exit.ts'
import { startBalancer } from './balancer.ts'
import type { DevJson } from './running-service.ts'
import { type ProcessName, type SplitService, startSplitService } from './split-service.ts'

export interface DoubledProcess {
  /** For example `seal 2`. */
  name: string
  /** Undefined between an exit and the next start. */
  pid: () => Promise<number | undefined>
  /** How each of its runs ended, for example `signal SIGKILL`. */
  endings: () => readonly string[]
  log: () => Promise<string>
}

export interface DoubledService extends AsyncDisposable {
  split: SplitService
  /** Alternates between both APIs. */
  dev: DevJson
  processes: readonly DoubledProcess[]
}

const COMMANDS: Record<ProcessName, readonly string[]> = {
  api: ['api/main.ts'],
  relay: ['workers/main.ts', 'relay'],
  mail: ['workers/main.ts', 'mail'],
  seal: ['workers/main.ts', 'seal'],
  deliver: ['workers/main.ts', 'deliver'],
  controller: ['controller/main.ts'],
}
const NAMES = Object.keys(COMMANDS) as ProcessName[]
const READY_WITHIN_MS = 60_000

/** Starts everything; accepts requests when it resolves. */
export async function startDoubledService(environment: Record<string, string> = {}): Promise<DoubledService> {
  await using stack = new AsyncDisposableStack()
  const split = stack.use(await startSplitService(environment))
  const port = await freePort()
  const settings = {
    SEALWRIGHT_MAIL_KEEP: String(!split.environment['SEALWRIGHT_SMTP_URL']),
    ...split.environment,
    SEALWRIGHT_DATA_DIR: split.dataDir,
    SEALWRIGHT_INSTALLATION_KEY: (await readFile(path.join(split.dataDir, 'keys', 'installation.key'), 'utf8')).trim(),
    SEALWRIGHT_PUBLIC_URL: split.dev.baseUrl,
    SEALWRIGHT_PORT: String(port),
    SEALWRIGHT_METRICS_PORT: '0',
  }
  const second = NAMES.map((name) => {
    const logFile = path.join(split.dataDir, `${name} 2.log`)
    const process = { name: `${name} 2`, command: COMMANDS[name], environment: async () => settings, logFile }
    const kept = stack.use(restartOnExit(process, { changed: () => {}, ended: () => {} }))
    return { name: `${name} 2`, pid: async () => kept.pid(), endings: () => kept.endings, log: () => readFile(logFile, 'utf8') }
  })
  const first = NAMES.map((name) => ({
    name,
    pid: () => split.pid(name).catch(() => undefined),
    endings: () => [...split.output().matchAll(new RegExp(`^${name} ended \\((.*)\\);`, 'gm'))].map(([, how = '']) => how),
    log: () => split.log(name),
  }))
  await untilReady(port)
  const balancer = stack.use(await startBalancer([Number(split.environment['SEALWRIGHT_PORT']), port]))
  const running = stack.move()
  return {
    split,
    dev: { ...split.dev, baseUrl: balancer.url },
    processes: [...first, ...second],
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function untilReady(port: number): Promise<void> {
  for (const until = performance.now() + READY_WITHIN_MS; ; await delay(50)) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.status === 200) return
    if (performance.now() > until) throw new Error('The second API was not ready in time.')
  }
}
