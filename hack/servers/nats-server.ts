// A real NATS server with JetStream for tests and the split start, on loopback.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { awaitAnswer } from './wait-for-http.ts'
import { ensureTool } from './ensure-tool.ts'
import { freePort } from './free-port.ts'
import { startServerProcess } from './server-process.ts'

const PORT_TRIES = 5

export interface NatsServerOptions {
  /** Holds streams and the log; created if missing. */
  dataDir: string
  /** Absent: any free port. A restarted server needs its old one. */
  port?: number
  /** False: plain NATS without streams. */
  jetStream?: boolean
  /** The only user who may connect; absent: no authentication. */
  user?: NatsUser
}

export interface NatsUser {
  name: string
  password: string
  /** Subjects, for example `$JS.API.>`, that the server denies this user. */
  mayNotPublish?: readonly string[]
}

export interface NatsServer {
  /** nats://127.0.0.1:port, with user and password if set. */
  url: string
  port: number
  pid: number
  /** Settles when the server has ended for any reason. */
  exited: Promise<string>
  stop(): Promise<void>
}

/** Starts nats-server, building it if needed; accepts connections when it resolves. */
export async function startNatsServer(options: NatsServerOptions): Promise<NatsServer> {
  const binary = await ensureTool('nats-server')
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  for (let tries = 1; ; tries++) {
    const port = options.port ?? (await freePort())
    const monitor = await freePort()
    const args = [...argumentsOf(options, port, monitor, dataDir), ...(await loginArguments(options.user, dataDir))]
    const server = await startServerProcess(binary, args, {
      env: {},
      stopSignal: 'SIGTERM',
      lastSignal: 'SIGKILL',
      stopWithinMs: 5_000,
      logFile: join(dataDir, 'nats-server.log'),
    })
    const ended = await Promise.race([server.exited, awaitAnswer(`http://127.0.0.1:${monitor}/healthz`)])
    if (ended === undefined) {
      const login = options.user ? `${options.user.name}:${options.user.password}@` : ''
      const url = `nats://${login}127.0.0.1:${port}`
      return { url, port, pid: server.pid, exited: server.exited, stop: () => server.stop() }
    }
    await server.stop()
    const portTaken = server.logTail().includes('address already in use')
    if (!portTaken || tries === PORT_TRIES) throw new Error(`nats-server did not start: ${ended}, ${server.logTail()}`)
  }
}

function argumentsOf({ jetStream }: NatsServerOptions, port: number, monitor: number, dataDir: string): string[] {
  const address = ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitor)]
  const streams = jetStream === false ? [] : ['-js', '-sd', join(dataDir, 'streams')]
  return [...address, ...streams]
}

/** Permissions have no flag, so they need a file. */
async function loginArguments(user: NatsUser | undefined, dataDir: string): Promise<string[]> {
  if (!user) return []
  const { name, password, mayNotPublish } = user
  if (!mayNotPublish) return ['--user', name, '--pass', password]
  const file = join(dataDir, 'nats-server.conf')
  const permissions = { publish: { deny: mayNotPublish } }
  await writeFile(file, JSON.stringify({ authorization: { users: [{ user: name, password, permissions }] } }), { mode: 0o600 })
  return ['-c', file]
}
