// The service as users start it: `npm start` as a separate process tree, on free ports and a separate data folder.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../../hack/servers/free-port.ts'
import { processState } from '../../../hack/servers/process-state.ts'

const run = promisify(execFile)
const READY_WITHIN_MS = 120_000

export interface DevJson {
  baseUrl: string
  tokenUrl: string
  orgId: string
  generalWorkspaceId: string
  clientId: string
  clientSecret: string
  adminEmail: string
  adminPassword: string
  mailboxUrl: string
  pid: number
}

export interface RunningService {
  dev: DevJson
  databaseUrl: string
  /** Its output so far. */
  output(): string
  /** The exit code, however it ended. */
  exited: Promise<number | null>
  /** Sends SIGTERM to npm; returns the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL to npm, the service and its Postgres at once. */
  killTree(): Promise<void>
}

/** Starts on `dataDir` and returns how that ended; for starts that fail. */
export async function tryStart(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const { child, printed, exited } = spawnStart(dataDir, String(await freePort()), environment)
  const patience = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS)
  const [code] = await exited
  clearTimeout(patience)
  return { code, output: printed() }
}

/** Starts on `dataDir`; accepts requests when it resolves. */
export async function startService(dataDir: string, environment: Record<string, string> = {}): Promise<RunningService> {
  const { child, printed, exited } = spawnStart(dataDir, String(await freePort()), environment)
  const dev = await untilReady(child, dataDir, printed)
  return {
    dev,
    databaseUrl: (await readFile(path.join(dataDir, 'database-url'), 'utf8')).trim(),
    output: printed,
    exited: exited.then(([code]) => code),
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
    async killTree() {
      const pids = [child.pid!, dev.pid, ...(await descendants(dev.pid))]
      for (const pid of pids) kill(pid)
      await exited
      for (const pid of pids) await gone(pid)
    },
  }
}

function spawnStart(dataDir: string, port: string, environment: Record<string, string>) {
  const child = spawn('npm', ['start'], {
    env: { ...process.env, SEALWRIGHT_DATA_DIR: dataDir, SEALWRIGHT_PORT: port, SEALWRIGHT_METRICS_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const exited = new Promise<[number | null]>((resolve) => child.once('exit', (code) => resolve([code])))
  return { child, printed: () => text, exited }
}

async function untilReady(child: ChildProcess, dataDir: string, printed: () => string): Promise<DevJson> {
  for (const startedAt = Date.now(); Date.now() - startedAt < READY_WITHIN_MS;) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${printed()}`)
    const dev = await readDevJson(dataDir)
    // A dev.json of a killed run names a process that has ended.
    if (dev && (await processState(dev.pid))) return dev
    await delay(50)
  }
  child.kill('SIGKILL')
  throw new Error(`npm start was not ready in time:\n${printed()}`)
}

async function readDevJson(dataDir: string): Promise<DevJson | undefined> {
  try {
    return JSON.parse(await readFile(path.join(dataDir, 'dev.json'), 'utf8'))
  } catch {
    return undefined // missing or partly written
  }
}

async function descendants(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid='])
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const children = rows.filter(([, parent]) => parent === pid).map(([child]) => child!)
  return [...children, ...(await Promise.all(children.map(descendants))).flat()]
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it ended with its parent
  }
}

async function gone(pid: number): Promise<void> {
  for (let tries = 0; (await processState(pid)) && tries < 200; tries++) await delay(20)
}
