// A request that is answered before its body has arrived. Node would read such a body to its end, however long that takes, or would close at once,
// and a connection that is closed with unread bytes loses its answer (RFC 9112, 9.6).
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** How long the client has to read the answer. */
const LINGER_MS = 2_000
/** How much of the rest is read meanwhile, for clients that read the answer only after they have sent everything. */
const LINGER_BYTES = 1024 * 1024

/** Whether the request announces a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Bounds what the server reads of a body that its handler did not wait for: the answer says `Connection: close`, at most 1 MiB more is read, and the
 * connection is closed after 2 seconds. A body with `Expect: 100-continue` is asked for by its reader (`readWithin`).
 */
export function boundUnreadBodies(server: Server): void {
  server.prependListener('request', closeWhenUnread)
  // Without these two listeners Node asks for the body before the handler has seen the request, and reads the one of a 417.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response))
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    closeWhenUnread(request, response)
    response.writeHead(417).end()
  })
}

function closeWhenUnread(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return
  const writeHead = response.writeHead.bind(response)
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) {
      response.shouldKeepAlive = false
      lingerAtTheEnd(request)
    }
    return Reflect.apply(writeHead, response, head)
  }
}

/** Node closes the connection of its last response with `destroySoon`. */
function lingerAtTheEnd(request: IncomingMessage): void {
  const { socket } = request
  const destroySoon = socket.destroySoon.bind(socket)
  let left = LINGER_BYTES
  request.on('error', () => {}) // the client may hang up
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.pause()
  })
  request.resume()
  socket.destroySoon = () => {
    if (request.complete) return destroySoon()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    request.once('end', destroySoon)
    socket.end()
  }
}
