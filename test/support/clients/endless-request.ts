// A request whose body never ends, as bytes on a socket.
import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'

export interface EndedRequest {
  /** Everything received until the server closed the connection. */
  answer: string
  /** What the server and the buffers on the way have taken. */
  sentBytes: number
  /** From the first byte until the connection was closed. */
  seconds: number
}

/** Sends `head` and then `piece` as fast as the server takes it, or every `pauseMs`, until the server closes the connection. */
export async function endlessRequest(
  url: string,
  head: string | Buffer,
  piece: string | Buffer,
  pauseMs = 0,
): Promise<EndedRequest> {
  const { protocol, port } = new URL(url)
  const place = { port: Number(port), host: '127.0.0.1', allowHalfOpen: true }
  const socket = protocol === 'https:' ? connectTls({ ...place, rejectUnauthorized: false }) : connect(place)
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
  socket.on('error', () => {}) // a reset counts as a close
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  socket.once('close', () => close())
  await once(socket, 'connect')
  const start = performance.now()
  socket.write(head)
  while (!socket.destroyed) {
    const hasRoom = socket.write(piece)
    // oxlint-disable-next-line eslint/no-await-in-loop -- one piece after the other
    if (!hasRoom) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    else await new Promise((resolve) => (pauseMs > 0 ? setTimeout(resolve, pauseMs) : setImmediate(resolve)))
  }
  return { answer, sentBytes: socket.bytesWritten - socket.writableLength, seconds: (performance.now() - start) / 1_000 }
}

/** One chunk of a chunked body. */
export function chunk(bytes: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')])
}
