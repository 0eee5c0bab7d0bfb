// A process that receives deliveries over HTTPS and notes when. Paths that begin with /hang get no answer.
import { createServer } from 'node:https'
import type { TlsOptions } from 'node:tls'

export interface Arrival {
  eventId: string
  path: string
  /** Milliseconds since 1970. */
  at: number
}

export type ReceiverMessage = { tls: TlsOptions } | 'take'

let arrivals: Arrival[] = []

process.on('message', (message: ReceiverMessage) => {
  if (message !== 'take') return listen(message.tls)
  process.send?.(arrivals)
  arrivals = []
})

function listen(tls: TlsOptions): void {
  const server = createServer({ ...tls, keepAlive: true, keepAliveTimeout: 60_000 }, (request, response) => {
    const at = performance.timeOrigin + performance.now()
    arrivals.push({ eventId: String(request.headers['x-svc-event-id']), path: request.url ?? '', at })
    request.resume()
    if (!request.url?.startsWith('/hang')) response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
}
