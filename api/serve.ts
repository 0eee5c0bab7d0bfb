// Listens, and stops listening without cutting anybody off: running requests finish, idle connections are closed.
import { createServer, type Server } from 'node:http'
import type { RequestListener } from 'node:http'

/** A head that is not complete by then is cut off. */
const HEADERS_TIMEOUT_MS = 15_000
/** A body that is not complete by then is cut off; 50 MB over a slow line take a while. */
const REQUEST_TIMEOUT_MS = 300_000
/** Longer than the idle time of usual load balancers, so that they close first. */
const KEEP_ALIVE_MS = 75_000
const MAX_HEADER_BYTES = 16 * 1024

export interface HttpServer {
  port: number
  /** Takes no new requests, lets running ones finish for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>
}

/** Serves `app` on host and port; 0 takes any free port. Throws when the address is taken. */
export async function serve(app: RequestListener, host: string, port: number): Promise<HttpServer> {
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: 5_000 }, app)
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`Cannot listen on ${host}:${port}: ${cause.message}. See SEALWRIGHT_HOST and SEALWRIGHT_PORT.`, { cause }))
    })
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
