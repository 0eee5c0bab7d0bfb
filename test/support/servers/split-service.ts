// The three tiers as separate processes on real servers, each of which the test can stop.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../../hack/servers/free-port.ts'
import { processState } from '../../../hack/servers/process-state.ts'
import { type NatsServer, startNatsServer } from '../../../hack/servers/nats-server.ts'
import { type PostgresServer, startPostgres } from '../../../hack/servers/postgres.ts'
import { createBucket, s3Settings } from '../../../hack/servers/s3-bucket.ts'
import { startVersitygw } from '../../../hack/servers/versitygw.ts'
import { type FaultProxy, startFaultProxy } from '../faults/fault-proxy.ts'
import type { DevJson } from './running-service.ts'

/** That of `npm run start:split`. */
const COMPILE_CACHE = 'node_modules/.compile-cache'
const READY_WITHIN_MS = 90_000
const DATABASE = 'sealwright'

export type ProcessName = 'api' | 'relay' | 'mail' | 'seal' | 'deliver' | 'controller'

export interface SplitService extends AsyncDisposable {
  dev: DevJson
  databaseUrl: string
  dataDir: string
  postgres: Restartable<PostgresServer>
  nats: Restartable<NatsServer>
  /** Where NATS keeps its streams. */
  natsDir: string
  /** A fault proxy in front of the S3 server. */
  s3: FaultProxy
  /** Kills the process; it is restarted as in a cluster. */
  kill(name: ProcessName): Promise<void>
  pid(name: ProcessName): Promise<number>
  /** A process's log. */
  log(name: ProcessName): Promise<string>
  /** The output of the process that restarts the others, such as how each has ended. */
  output(): string
  /** Settings of every process. */
  environment: Readonly<Record<string, string>>
}

/** A server that can be killed and restarted at the same address. */
export interface Restartable<Server> {
  current: Server
  /** Ends it outright. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts everything; rate limits are off, so that they do not delay the clients. `nodeArguments`: for every Node process. */
export async function startSplitService(
  environment: Record<string, string> = {},
  nodeArguments: readonly string[] = [],
): Promise<SplitService> {
  await using stack = new AsyncDisposableStack()
  const root = await mkdtemp(path.join(tmpdir(), 'sealwright-split-'))
  stack.defer(() => rm(root, { recursive: true, force: true }))
  const postgres = await restartable((port) =>
    startPostgres({
      dataDir: path.join(root, 'postgres'),
      password: 'test',
      durable: false,
      persistent: true,
      // Commits survive the server's end, though not the machine's.
      settings: ['synchronous_commit=on', 'max_connections=300'],
      ...port,
    }),
  )
  stack.defer(() => postgres.current.stop())
  const natsDir = path.join(root, 'nats')
  const nats = await restartable((port) => startNatsServer({ dataDir: natsDir, ...port }))
  stack.defer(() => nats.current.stop())
  const s3 = await startVersitygw({ dataDir: path.join(root, 's3') })
  stack.defer(() => s3.stop())
  await createBucket(s3)
  const s3Proxy = await startFaultProxy(s3.endpoint)
  stack.defer(() => s3Proxy.close())
  await createDatabase(postgres.current.url)
  const dataDir = path.join(root, 'data')
  const databaseUrl = `${postgres.current.url}/${DATABASE}`
  const settings = {
    SEALWRIGHT_PORT: String(await freePort()),
    SEALWRIGHT_DATABASE_URL: databaseUrl,
    SEALWRIGHT_NATS_URL: nats.current.url,
    ...s3Settings({ ...s3, endpoint: s3Proxy.url }),
    ...NO_RATES,
    ...environment,
  }
  const child = spawnSplit(dataDir, settings, nodeArguments)
  stack.defer(() => child.stop())
  const dev = await untilReady(child, dataDir)
  const ending = stack.move()
  return {
    dev,
    databaseUrl,
    dataDir,
    postgres,
    nats,
    natsDir,
    s3: s3Proxy,
    async kill(name) {
      const pid = await pidOf(dataDir, name)
      process.kill(pid, 'SIGKILL')
      for (let tries = 0; tries < 500 && (await processState(pid)); tries++) await delay(10)
    },
    pid: (name) => pidOf(dataDir, name),
    log: (name) => readFile(path.join(dataDir, `${name}.log`), 'utf8'),
    output: () => child.output(),
    environment: settings,
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  }
}

/** Rates off, so that many clients at one address are not held up by them. */
export const NO_RATES = Object.fromEntries(
  [
    'QUOTA_API_REQUESTS_PER_MINUTE',
    'RATE_TOKEN_PER_MINUTE',
    'RATE_CEREMONY_PER_TOKEN_PER_MINUTE',
    'RATE_CEREMONY_PER_ADDRESS_PER_MINUTE',
    'RATE_VERIFY_PER_MINUTE',
    'RATE_UPLOADS_PER_MINUTE',
  ].map((name) => [`SEALWRIGHT_${name}`, '0']),
)

/** Starts the server on a port that it keeps. */
export async function restartable<Server extends { pid: number; port: number; exited: Promise<string> }>(
  start: (port: { port?: number }) => Promise<Server>,
): Promise<Restartable<Server>> {
  const held = {
    current: await start({}),
    async kill() {
      process.kill(held.current.pid, 'SIGKILL')
      await held.current.exited
    },
    async start() {
      held.current = await start({ port: held.current.port })
    },
  }
  return held
}

async function createDatabase(url: string): Promise<void> {
  const { default: postgres } = await import('postgres')
  const admin = postgres(`${url}/postgres`, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${DATABASE}`)
  await admin.end({ timeout: 5 })
}

function spawnSplit(dataDir: string, environment: Record<string, string>, nodeArguments: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [...nodeArguments, 'test/support/servers/split-main.ts'], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, SEALWRIGHT_DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    output: () => text,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function untilReady(child: ReturnType<typeof spawnSplit>, dataDir: string): Promise<DevJson> {
  for (const startedAt = Date.now(); Date.now() - startedAt < READY_WITHIN_MS && child.isRunning();) {
    const text = await readFile(path.join(dataDir, 'dev.json'), 'utf8').catch(() => '')
    if (text) return JSON.parse(text)
    await delay(50)
  }
  throw new Error(`The split service was not ready in time:\n${child.output()}`)
}

async function pidOf(dataDir: string, name: ProcessName): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const pids: Record<string, number | undefined> = JSON.parse(await readFile(path.join(dataDir, 'processes.json'), 'utf8'))
    const pid = pids[name]
    if (pid !== undefined && (await processState(pid))) return pid
    await delay(20)
  }
  throw new Error(`${name} does not run.`)
}
