// A real Postgres for `npm start` and the tests, on loopback only, from npm's binaries; also as root and in folders that only root may
// enter. After a kill -9 the next start ends leftover processes and Postgres recovers from its log.
import { open, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { postgresFolder } from './postgres-binaries.ts'
import { type ClusterOptions, SUPERUSER, ensureCluster, folderAsSeenBy } from './postgres-cluster.ts'
import { clusterName, stopOrphans } from './postgres-orphans.ts'
import { type PostgresUser, postgresUser } from './postgres-user.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const READY_POLL_MS = 10
/** Long, because a start after a crash replays the log first. */
const READY_WITHIN_MS = 120_000
/** A fast shutdown writes a checkpoint; after this time the server is killed without one and replays its log at the next start. */
const STOP_WITHIN_MS = 8_000
const PORT_TRIES = 5

export interface PostgresOptions extends ClusterOptions {
  /** Absent: any free port. */
  port?: number
  /** False: the data folder is deleted with the server. */
  persistent: boolean
  /** More settings, for example `max_connections=200`. */
  settings?: readonly string[]
}

export interface PostgresServer {
  /** postgres://superuser:password@127.0.0.1:port, without a database. */
  url: string
  port: number
  pid: number
  /** Settles when the server has ended for any reason. */
  exited: Promise<string>
  /** A fast, clean shutdown. */
  stop(): Promise<void>
}

/**
 * Starts the server on the cluster in `dataDir`, created at the first start; accepts connections when it resolves. Logs to `<dataDir>.log`.
 * Throws a one-line message when a live run uses the folder, it is unusable, or the server does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const settled = { ...options, dataDir: resolve(options.dataDir) }
  await stopOrphans(settled.dataDir)
  const user = await postgresUser(settled.dataDir)
  const binaries = await postgresFolder(user)
  await ensureCluster(binaries, settled, user)
  for (let tries = 1; ; tries++) {
    const port = options.port ?? (await freePort())
    const server = await launch(binaries, settled, port, user)
    const fault = await readiness(settled.dataDir, server)
    if (fault === undefined) return toPostgresServer(server, settled, port)
    await server.stop()
    const portTaken = options.port === undefined && /could not bind/.test(fault)
    if (!portTaken || tries === PORT_TRIES) throw new Error(`Postgres did not start in ${settled.dataDir}: ${fault}`)
  }
}

async function launch(
  binaries: string,
  options: PostgresOptions,
  port: number,
  user: PostgresUser | undefined,
): Promise<ServerProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `port=${port}`,
    `cluster_name=${clusterName(process.pid)}`,
    'timezone=UTC',
    'log_timezone=UTC',
    // Terse: error details quote rows, which contain names and addresses.
    'log_error_verbosity=terse',
    // New tables grow quickly: plans made for empty ones must not last for the default minute.
    ...(options.durable ? ['autovacuum_naptime=10s'] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    ...(options.settings ?? []),
  ]
  await using directory = await open(options.dataDir)
  const args = ['-D', folderAsSeenBy(user, options.dataDir), ...settings.flatMap((setting) => ['-c', setting])]
  return await startServerProcess(join(binaries, 'bin/postgres'), args, {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    stopSignal: 'SIGINT',
    lastSignal: 'SIGQUIT',
    stopWithinMs: STOP_WITHIN_MS,
    logFile: `${options.dataDir}.log`,
    descriptors: [directory.fd],
    ...(user && { user }),
  })
}

/** Undefined once connections are accepted, otherwise why that will not happen. */
async function readiness(dataDir: string, server: ServerProcess): Promise<string | undefined> {
  let ended: string | undefined
  void server.exited.then((how) => (ended = how))
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += READY_POLL_MS) {
    // The lock file's first line is the server's pid, its eighth the server's state.
    const lock = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    if (lock[0] === String(server.pid) && lock[7]?.trim() === 'ready') return undefined
    if (ended !== undefined) return `${ended}, ${server.logTail()}`
    await delay(READY_POLL_MS)
  }
  return `not ready within ${READY_WITHIN_MS / 1000} s`
}

function toPostgresServer(server: ServerProcess, options: PostgresOptions, port: number): PostgresServer {
  return {
    url: `postgres://${SUPERUSER}:${encodeURIComponent(options.password)}@127.0.0.1:${port}`,
    port,
    pid: server.pid,
    exited: server.exited,
    async stop() {
      await server.stop()
      if (options.persistent) return
      await rm(options.dataDir, { recursive: true, force: true })
      await rm(`${options.dataDir}.log`, { force: true })
    },
  }
}
