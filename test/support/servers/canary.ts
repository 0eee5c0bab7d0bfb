// Listeners at addresses that nothing may connect to. A connection is enough: over TLS even an aborted one sends bytes.
import { createServer, type Server } from 'node:net'

export interface Canary extends AsyncDisposable {
  /** The port on 127.0.0.1 and, if this machine has IPv6, on ::1. */
  port: number
  /** How many connections it has accepted. */
  connections(): number
}

export async function startCanary(): Promise<Canary> {
  let connections = 0
  const servers: Server[] = []
  const listen = async (host: string, port: number): Promise<number> => {
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve)
    })
    servers.push(server)
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
  const port = await listen('127.0.0.1', 0)
  await listen('::1', port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error
  })
  return {
    port,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
