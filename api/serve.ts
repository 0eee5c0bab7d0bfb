// Listens, and stops listening without cutting anybody off: running requests finish, idle connections are closed.
import { createServer, type Server } from 'node:http'
import type { RequestListener } from 'node:http'
import { toListenError } from '#core/platform/process/listen-error.ts'

export interface ServerLimits {
  /** A head that is not complete by then is cut off. */
  headersTimeoutMs: number
  /** A request that is not complete by then is cut off. */
  requestTimeoutMs: number
  /** A connection on which nothing moves for so long, in either direction, is cut off: also of who asks and never takes the answer. */
  idleTimeoutMs: number
  /** How often connections are looked at for the first two. */
  checkIntervalMs: number
}

const LIMITS: ServerLimits = {
  headersTimeoutMs: 15_000,
  // 50 MB over a slow line take a while.
  requestTimeoutMs: 300_000,
  // Longer than any answer takes to begin.
  idleTimeoutMs: 300_000,
  checkIntervalMs: 5_000,
}
/** Longer than the idle time of usual load balancers, so that they close first. */
const KEEP_ALIVE_MS = 75_000
/** The longest filter that listEnvelopes takes fits in, also when every character of it is escaped as twelve. */
const MAX_HEADER_BYTES = 64 * 1024

export interface HttpServer {
  port: number
  /** Takes no new requests, lets running ones finish for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>
}

/** Serves `app` on host and port; 0 takes any free port. `limits`: those that differ from the usual. Throws when the address cannot be had. */
export async function serve(
  app: RequestListener,
  host: string,
  port: number,
  limits: Partial<ServerLimits> = {},
): Promise<HttpServer> {
  const { headersTimeoutMs, requestTimeoutMs, idleTimeoutMs, checkIntervalMs } = { ...LIMITS, ...limits }
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: checkIntervalMs }, app)
  server.headersTimeout = headersTimeoutMs
  server.requestTimeout = requestTimeoutMs
  server.timeout = idleTimeoutMs
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(toListenError(cause, host, port, 'SEALWRIGHT_PORT')))
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The server listens on no port.')
  return { port: address.port, close: (graceMs) => closeServer(server, graceMs) }
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(cut)
}
