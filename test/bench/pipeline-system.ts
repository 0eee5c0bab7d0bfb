// The tiers as separate processes on real servers with durable disks, for the pipeline benchmark, and their pids for /proc.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { deriveInstallationKeys, type InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { INSTALLATION_KEY_BYTES } from '#core/platform/crypto/key-set.ts'
import { createOrganisation, type NewOrganisation } from '#core/account/organisation/create-organisation.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { openS3Store } from '#core/platform/storage/s3/s3-store.ts'
import { awaitAnswer } from '../../hack/servers/wait-for-http.ts'
import { freePort } from '../../hack/servers/free-port.ts'
import { type NatsServer, startNatsServer } from '../../hack/servers/nats-server.ts'
import { type PostgresServer, startPostgres } from '../../hack/servers/postgres.ts'
import { type ServerProcess, startServerProcess } from '../../hack/servers/server-process.ts'
import { BUCKET, createBucket, s3Settings } from '../../hack/servers/s3-bucket.ts'
import { type S3Server, startVersitygw } from '../../hack/servers/versitygw.ts'
import { UNLIMITED } from './unlimited.ts'

export interface PipelineSystem extends AsyncDisposable {
  /** The API's address, once it was started. */
  baseUrl: string
  organisation: NewOrganisation
  /** As the schema's owner. */
  owner: Database
  storage: ObjectStore
  keys: InstallationKeys
  natsUrl: string
  /** By name, of running servers and tiers. */
  pids: Map<string, number>
  /** Starts one process of a tier and waits until it is ready. */
  start(name: string, command: readonly string[]): Promise<TierProcess>
}

export interface TierProcess {
  pid: number
  metricsUrl: string
  logFile: string
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>
}

export const SEAL_THREADS = 2

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OWNER_POOL = 4
/** From the operators' guide. */
const NODE_OPTIONS = ['--max-semi-space-size=2', '--max-old-space-size=1536']
/** Counts the statements of all processes, and records commit times. */
const POSTGRES_SETTINGS = ['shared_preload_libraries=pg_stat_statements', 'track_commit_timestamp=on']

/** Starts the servers; tiers are started one by one. `settings`: further ones of every tier. */
export async function startPipelineSystem(settings: Record<string, string> = {}): Promise<PipelineSystem> {
  await using stack = new AsyncDisposableStack()
  const root = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-'))
  stack.defer(() => rm(root, { recursive: true, force: true }))
  const { postgres, nats, s3 } = await startServers(root, stack)
  const databaseUrl = `${postgres.url}/postgres`
  await migrate(databaseUrl)
  const owner = openDatabase({ url: databaseUrl, pool: OWNER_POOL })
  stack.defer(() => owner.end({ timeout: 5 }))
  await owner`create extension pg_stat_statements`
  const organisation = await createOrganisation({ database: owner }, { name: 'Bench' })
  const s3Options = { ...s3, publicEndpoint: undefined, bucket: BUCKET, forcePathStyle: true }
  await createBucket(s3)
  const storage = openS3Store(s3Options)
  stack.defer(() => storage.close())
  const installationKey = randomBytes(INSTALLATION_KEY_BYTES)
  const port = await freePort()
  const pids = new Map([
    ['Postgres', postgres.pid],
    ['NATS', nats.pid],
    ['S3', s3.pid],
  ])
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: path.join(root, 'compile-cache'),
    SEALWRIGHT_PORT: String(port),
    SEALWRIGHT_DATABASE_URL: databaseUrl,
    SEALWRIGHT_NATS_URL: nats.url,
    SEALWRIGHT_INSTALLATION_KEY: installationKey.toString('base64'),
    SEALWRIGHT_DATA_DIR: path.join(root, 'data'),
    SEALWRIGHT_MAIL_KEEP: 'true',
    SEALWRIGHT_SEAL_THREADS: String(SEAL_THREADS),
    ...s3Settings(s3),
    ...UNLIMITED,
    ...settings,
  }
  const start = (name: string, command: readonly string[]) =>
    startTier({ name, command, environment, root, pids, stack: running })
  const running = stack.move()
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    organisation,
    owner,
    storage,
    keys: deriveInstallationKeys(installationKey),
    natsUrl: nats.url,
    pids,
    start,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function startServers(
  root: string,
  stack: AsyncDisposableStack,
): Promise<{ postgres: PostgresServer; nats: NatsServer; s3: S3Server }> {
  const postgres = await startPostgres({
    dataDir: path.join(root, 'postgres'),
    password: randomUUID(),
    durable: true,
    persistent: true,
    settings: POSTGRES_SETTINGS,
  })
  stack.defer(() => postgres.stop())
  const nats = await startNatsServer({ dataDir: path.join(root, 'nats') })
  stack.defer(() => nats.stop())
  const s3 = await startVersitygw({ dataDir: path.join(root, 's3') })
  stack.defer(() => s3.stop())
  return { postgres, nats, s3 }
}

interface TierStart {
  name: string
  command: readonly string[]
  environment: Record<string, string>
  root: string
  pids: Map<string, number>
  stack: AsyncDisposableStack
}

async function startTier({ name, command, environment, root, pids, stack }: TierStart): Promise<TierProcess> {
  const metricsPort = await freePort()
  const logFile = path.join(root, `${name.replaceAll(' ', '-')}.log`)
  const child: ServerProcess = await startServerProcess(process.execPath, [...NODE_OPTIONS, ...command], {
    env: { ...environment, SEALWRIGHT_METRICS_PORT: String(metricsPort) },
    folder: ROOT,
    stopSignal: 'SIGTERM',
    lastSignal: 'SIGKILL',
    stopWithinMs: 15_000,
    logFile,
  })
  stack.defer(() => child.stop())
  pids.set(name, child.pid)
  const url = `http://127.0.0.1:${metricsPort}`
  const fault = await Promise.race([child.exited, awaitAnswer(`${url}/readyz`)])
  if (fault !== undefined) throw new Error(`${name} did not start: ${fault}\n${child.logTail()}`)
  const stop = async (): Promise<void> => {
    await child.stop()
    pids.delete(name)
  }
  return { pid: child.pid, metricsUrl: `${url}/metrics`, logFile, stop }
}
