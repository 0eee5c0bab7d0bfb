// A TCP proxy in front of a real server; its connections can be cut at any byte.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy extends AsyncDisposable {
  port: number
  /** Ends every connection, orderly (`fin`) or by a reset; new ones work. */
  cut: (how: 'fin' | 'reset') => void
  /** Keeps every connection but forwards nothing more, as when a machine disappears; new ones work. */
  mute: () => void
  /** How many connections it has accepted. */
  accepted: () => number
  /** How many of them are open. */
  open: () => number
}

/** Listens in front of a port of 127.0.0.1. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const ways = new Set<[Socket, Socket]>()
  let accepted = 0
  const server = createServer((client) => {
    accepted++
    const backend = connect(target, '127.0.0.1')
    open.add(client)
    client
      .on('error', () => {})
      .once('close', () => {
        open.delete(client)
        backend.destroy()
      })
    backend.on('error', () => {}).once('close', () => client.destroy())
    client.pipe(backend).pipe(client)
    ways.add([client, backend])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  const { port } = server.address() as AddressInfo
  const cut = (how: 'fin' | 'reset'): void => {
    for (const client of open) {
      if (how === 'fin') client.end()
      else client.resetAndDestroy()
    }
  }
  const mute = (): void => {
    for (const [client, backend] of ways) {
      client.unpipe(backend).pause()
      backend.unpipe(client).pause()
    }
    ways.clear()
  }
  return {
    port,
    cut,
    mute,
    accepted: () => accepted,
    open: () => open.size,
    async [Symbol.asyncDispose]() {
      for (const client of open) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
