// Servers that accept a connection and stay silent, fall silent later, or do not accept at all.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

export interface UnresponsiveServer extends AsyncDisposable {
  port: number
}

/** Listens in front of a port of 127.0.0.1, forwards this many bytes of each connection per direction, then holds the connection open. */
export async function startHoldingProxy(
  target: number,
  passes: { upBytes: number; downBytes: number },
): Promise<UnresponsiveServer & { connections: () => number }> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((near) => {
    connections++
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        near.destroy()
        far.destroy()
        sockets.delete(socket)
      })
    }
    advanceToNextSigners(near, far, passes.upBytes)
    advanceToNextSigners(far, near, passes.downBytes)
  })
  const port = await listen(server)
  return {
    port,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

function advanceToNextSigners(from: Socket, to: Socket, bytes: number): void {
  let left = bytes
  from.on('data', (chunk) => {
    to.write(chunk.subarray(0, left))
    left -= Math.min(left, chunk.length)
    if (left === 0) from.pause()
  })
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  return (server.address() as AddressInfo).port
}

const BACKLOG = 1
/** Listens without ever accepting. */
const DEAF = `
  const { createServer } = require('node:net')
  const { parentPort } = require('node:worker_threads')
  const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: ${BACKLOG} }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

/** A port with a full backlog: the system ignores further connections, as for an unreachable address. */
export async function startDeafPort(): Promise<UnresponsiveServer> {
  const worker = new Worker(DEAF, { eval: true })
  const [port]: unknown[] = await once(worker, 'message')
  if (typeof port !== 'number') throw new Error('The deaf port did not open.')
  const waiting: Socket[] = []
  // Linux accepts one more than the backlog.
  for (let place = 0; place <= BACKLOG; place++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    waiting.push(socket)
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of waiting) socket.destroy()
      await worker.terminate()
    },
  }
}
