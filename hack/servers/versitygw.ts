// A real S3 server for tests and the split start: versitygw on a folder, on loopback, with its own keys.
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { awaitAnswer } from './wait-for-http.ts'
import { ensureTool } from './ensure-tool.ts'
import { freePort } from './free-port.ts'
import { startServerProcess } from './server-process.ts'

const PORT_TRIES = 5

/** The credentials of the server's administrator. */
export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
}

export interface VersitygwOptions {
  /** Holds objects, their metadata and the log; created if missing. */
  dataDir: string
  /** Absent: random keys for this run. */
  credentials?: S3Credentials
}

export interface S3Server extends S3Credentials {
  /** http://127.0.0.1:port; buckets are addressed by path. */
  endpoint: string
  region: string
  pid: number
  /** Settles when the server has ended for any reason. */
  exited: Promise<string>
  stop(): Promise<void>
}

/** Starts versitygw, building it if needed; accepts requests when it resolves. */
export async function startVersitygw(options: VersitygwOptions): Promise<S3Server> {
  const binary = await ensureTool('versitygw')
  const dataDir = resolve(options.dataDir)
  // Metadata in separate files, because not every file system has extended attributes.
  const [objects, metadata] = [join(dataDir, 'objects'), join(dataDir, 'metadata')]
  for (const folder of [objects, metadata]) await mkdir(folder, { recursive: true, mode: 0o700 })
  const credentials = options.credentials ?? {
    accessKeyId: randomBytes(10).toString('hex'),
    secretAccessKey: randomBytes(20).toString('hex'),
  }
  for (let tries = 1; ; tries++) {
    const port = await freePort()
    const endpoint = `http://127.0.0.1:${port}`
    const server = await startServerProcess(binary, [...argumentsOf(port), 'posix', '--sidecar', metadata, objects], {
      env: { ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
      stopSignal: 'SIGTERM',
      lastSignal: 'SIGKILL',
      stopWithinMs: 5_000,
      logFile: join(dataDir, 'versitygw.log'),
    })
    const ended = await Promise.race([server.exited, awaitAnswer(`${endpoint}/healthz`)])
    if (ended === undefined) {
      return { ...credentials, endpoint, region: 'us-east-1', pid: server.pid, exited: server.exited, stop: () => server.stop() }
    }
    await server.stop()
    const portTaken = server.logTail().includes('address already in use')
    if (!portTaken || tries === PORT_TRIES) throw new Error(`versitygw did not start: ${ended}, ${server.logTail()}`)
  }
}

/**
 * CORS allows any origin: browsers read documents directly from the store, and the URL is the secret. Connections are kept alive, as with
 * production stores.
 */
function argumentsOf(port: number): string[] {
  return ['--port', `127.0.0.1:${port}`, '--health', '/healthz', '--quiet', '--keep-alive', '--cors-allow-origin', '*']
}
