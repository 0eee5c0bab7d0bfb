// Open connections that wait for another request to the same receiver. A TLS handshake costs more than all the rest of a request.
import type { Connection } from './connection.ts'

export interface IdleConnections extends Disposable {
  /** Removes and returns an open connection of this receiver to one of the addresses, if there is one. */
  take(origin: string, addresses: readonly string[]): Connection | undefined
  /** Keeps a connection for the next request, or destroys it when it is closed, too old or one too many. */
  keep(origin: string, connection: Connection): void
  /** Drops a connection that has closed. */
  forget(connection: Connection): void
}

/** The certificate and its expiry are checked at the handshake only, so a busy connection is replaced now and then. */
const OLDEST_MS = 300_000

/** Keeps at most `most` connections; beyond that the one that has waited longest is destroyed. */
export function newIdleConnections(most: number): IdleConnections {
  // In the order in which they began to wait.
  const idle = new Map<Connection, string>()
  let isDisposed = false
  return {
    take(origin, addresses) {
      const fits = ([each, itsOrigin]: [Connection, string]): boolean =>
        itsOrigin === origin && each.isOpen() && addresses.includes(each.address)
      const found = [...idle].findLast(fits)?.[0]
      if (found) idle.delete(found)
      return found
    },
    keep(origin, connection) {
      const isUsable = connection.isOpen() && performance.now() - connection.openedAt < OLDEST_MS
      if (isDisposed || !isUsable) return connection.destroy()
      idle.set(connection, origin)
      const [longest] = idle.keys()
      if (idle.size > most && longest) {
        idle.delete(longest)
        longest.destroy()
      }
    },
    forget: (connection) => void idle.delete(connection),
    [Symbol.dispose]() {
      isDisposed = true
      for (const connection of idle.keys()) connection.destroy()
      idle.clear()
    },
  }
}
