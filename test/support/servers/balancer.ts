// A load balancer before several APIs: each connection goes to the next one that accepts it.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Balancer extends AsyncDisposable {
  url: string
}

/** Balances over ports of 127.0.0.1. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>()
  let turn = 0
  const server = createServer((client) => {
    open.add(client)
    client.once('close', () => open.delete(client)).on('error', () => client.destroy())
    const first = turn++ % ports.length
    void join(client, [...ports.slice(first), ...ports.slice(0, first)])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const client of open) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function join(client: Socket, ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    const backend = connect(port, '127.0.0.1')
    try {
      await once(backend, 'connect')
    } catch {
      continue // it is down: try the next one
    }
    backend.on('error', () => client.destroy()).once('close', () => client.destroy())
    client.once('close', () => backend.destroy())
    client.pipe(backend)
    backend.pipe(client)
    return
  }
  client.destroy()
}
