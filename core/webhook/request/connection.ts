// One HTTP/1.1 connection to a receiver, for one request at a time.
import type { TLSSocket } from 'node:tls'
import { Client } from 'undici'

export interface Connection {
  client: Client
  /** The vetted address that it is connected to. */
  address: string
  openedAt: number
  socket: TLSSocket
  isOpen(): boolean
  destroy(): void
}

/** Most bytes of the names and values of one answer. */
const MOST_HEADER_BYTES = 16_384
/** Servers close idle connections after 5 s (Node.js) to 75 s (nginx). A `Keep-Alive` header of the receiver shortens or lengthens it up to the maximum. */
const IDLE_MS = 15_000
const IDLE_AT_MOST_MS = 60_000

/** Wraps a connected socket. The client never opens another one: addresses are vetted before each connection. */
export function openConnection(origin: string, socket: TLSSocket, address: string): Connection {
  let isTaken = false
  const client = new Client(origin, {
    connect(_, callback) {
      const error = isTaken || socket.destroyed ? new ConnectionClosedError() : undefined
      isTaken = true
      // Not at once: the client resumes its queue only for a callback that comes later.
      queueMicrotask(() => (error ? callback(error, null) : callback(null, socket)))
    },
    pipelining: 1,
    maxHeaderSize: MOST_HEADER_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_AT_MOST_MS,
    // The deadline of the attempt limits both. These limits are per gap between bytes, which a slow receiver evades.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    client,
    address,
    openedAt: performance.now(),
    socket,
    isOpen: () => !socket.destroyed && !client.destroyed,
    destroy() {
      socket.destroy()
      void client.destroy()
    },
  }
}

/** The socket closed before the request was written to it. */
export class ConnectionClosedError extends Error {
  readonly code = 'ECONNRESET'
}
