// Listens, and shuts down gracefully: running requests finish, idle connections are closed.
import { createServer, type RequestListener, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { boundUnreadBodies } from '#core/platform/http/unread-body.ts'
import { toListenError } from '#core/platform/process/listen-error.ts'

export interface ServerLimits {
  /** Closes a connection whose headers are incomplete after this time. */
  headersTimeoutMs: number
  /** Closes a connection whose request is incomplete after this time. */
  requestTimeoutMs: number
  /** Closes a connection without traffic in either direction, also when a client never reads the response. */
  idleTimeoutMs: number
  /** How often the first two limits are checked. */
  checkIntervalMs: number
}

const LIMITS: ServerLimits = {
  headersTimeoutMs: 15_000,
  // Enough for 50 MB over a slow line.
  requestTimeoutMs: 300_000,
  // Longer than any response takes to start.
  idleTimeoutMs: 300_000,
  checkIntervalMs: 5_000,
}
/** Longer than the idle timeout of common load balancers, so that they close first. */
const KEEP_ALIVE_MS = 75_000
/** Fits the longest filter of listEnvelopes, even when each character is escaped as twelve. */
const MAX_HEADER_BYTES = 64 * 1024

export interface HttpServer {
  port: number
  /** For `drainMs` answers as before and ends each connection with its next response. Then accepts no new requests, lets running ones finish for `graceMs`,
   *  and closes the remaining connections. */
  close(graceMs: number, drainMs?: number): Promise<void>
}

/** Serves `app` on host and port; 0 picks a free port. `limits` override the defaults. Throws when the address is unavailable. */
export async function serve(
  app: RequestListener,
  host: string,
  port: number,
  limits: Partial<ServerLimits> = {},
): Promise<HttpServer> {
  const { headersTimeoutMs, requestTimeoutMs, idleTimeoutMs, checkIntervalMs } = { ...LIMITS, ...limits }
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: checkIntervalMs }, app)
  boundUnreadBodies(server)
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
  return { port: address.port, close: (graceMs, drainMs = 0) => closeServer(server, graceMs, drainMs) }
}

async function closeServer(server: Server, graceMs: number, drainMs: number): Promise<void> {
  if (drainMs > 0) await drain(server, drainMs)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(cut)
}

/** A client may be sending on a connection that looks idle here, and a load balancer may not know yet that this process stops. */
async function drain(server: Server, drainMs: number): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  await delay(drainMs)
}
