// HTTP as bytes on a socket, for requests that client libraries cannot send.
import { connect, type Socket } from 'node:net'

export interface RawConnection extends Disposable {
  write(bytes: string | Uint8Array): void
  /** Sends no more, but continues to read. */
  end(): void
  /** Resets the connection. */
  reset(): void
  /** Everything received so far. */
  received(): string
  /** Everything received until the server closed the connection. */
  closed: Promise<string>
  /** Resolves once that many final status lines have arrived. */
  answers(count: number): Promise<string[]>
}

/** Opens a connection to the server at `url`. */
export function rawConnection(url: string): RawConnection {
  const socket: Socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  const waiting = new Set<() => void>()
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    for (const look of waiting) look()
  })
  const closed = new Promise<string>((resolve) => {
    socket.once('error', () => {}) // a reset counts as a close
    socket.once('end', () => socket.end())
    socket.once('close', () => resolve(received))
  })
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 ([2-5]\d\d)/g)].map(([, status]) => status ?? '')
  return {
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    received: () => received,
    closed,
    answers: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (statuses().length < count) return
          waiting.delete(look)
          resolve(statuses())
        }
        waiting.add(look)
        look()
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
