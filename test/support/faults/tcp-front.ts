// A TCP port in front of a server that can open late, close, and change the server's bytes.
import { connect, createServer, type Socket } from 'node:net'

export interface TcpFront {
  port: number
  /** Accepts connections from now on. */
  open(): Promise<void>
  /** Closes every connection and accepts no more. */
  close(): Promise<void>
}

/** Starts closed. `change` rewrites the server's bytes. */
export function tcpFront(port: number, targetPort: number, change: (chunk: Buffer) => Buffer = (chunk) => chunk): TcpFront {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.once('close', () => {
        near.destroy()
        far.destroy()
        sockets.delete(socket)
      })
    }
    near.on('data', (chunk) => far.write(chunk))
    far.on('data', (chunk) => near.write(change(chunk)))
  })
  return {
    port,
    open: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', resolve)
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
