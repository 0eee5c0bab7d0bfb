// An HTTP proxy in front of a real server that injects faults: busy, broken, slow, silent, ambiguous, forgetful, lost responses, truncated
// or changed bodies, half-sent requests.
import { type ClientRequest, type IncomingMessage, type ServerResponse, createServer, request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** The fault of one request; `undefined` lets it through. */
export type HttpFault =
  | 'busy'
  | 'broken'
  | 'slow'
  | 'silent'
  | 'conflict'
  | 'denied'
  | 'gone'
  | 'lose-answer'
  | 'cut-body'
  | 'change-body'
  | 'cut-upload'
  | 'change-upload'
  | undefined

export const SLOW_MS = 2_000

export interface FaultProxy {
  url: string
  /** Called once per request, in order. */
  faults: (request: IncomingMessage) => HttpFault
  /** Every received request, for example `PUT /bucket/key`. */
  seen: string[]
  close(): Promise<void>
}

/** Starts a proxy for the server at `target`. Keeps the Host header, because signatures cover it. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const proxy: FaultProxy = { url: '', faults: () => undefined, seen: [], close: () => Promise.resolve() }
  const server = createServer((request, response) => {
    proxy.seen.push(`${request.method} ${request.url}`)
    // The client may have disconnected meanwhile.
    forward(target, request, response, proxy.faults(request)).catch(() => response.socket?.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  proxy.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  proxy.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return proxy
}

async function forward(target: string, request: IncomingMessage, response: ServerResponse, fault: HttpFault): Promise<void> {
  const sent = await buffer(request)
  const errorResponse = fault && ERRORS[fault]
  if (errorResponse) {
    response.writeHead(errorResponse.status, { 'Content-Type': 'application/xml' }).end(errorResponse.body)
    return
  }
  if (fault === 'silent') return
  if (fault === 'cut-upload') {
    await sendHalf(target, request, sent)
    response.socket?.destroy()
    return
  }
  if (fault === 'slow') await delay(SLOW_MS)
  if (fault === 'change-upload') sent[0] = (sent[0] ?? 0) ^ 1
  const answer = await send(target, request, sent)
  applyFault(response, answer, await buffer(answer), fault)
}

const ERRORS: Partial<Record<NonNullable<HttpFault>, { status: number; body: string }>> = {
  busy: { status: 503, body: '<Error><Code>SlowDown</Code></Error>' },
  broken: { status: 500, body: '' },
  conflict: { status: 409, body: '<Error><Code>ConditionalRequestConflict</Code></Error>' },
  denied: { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' },
  gone: { status: 404, body: '<Error><Code>NoSuchUpload</Code></Error>' },
}

/** Forwards the response with the fault applied. */
function applyFault(response: ServerResponse, answer: IncomingMessage, body: Buffer, fault: HttpFault): void {
  if (fault === 'lose-answer') {
    response.socket?.destroy()
    return
  }
  response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
  if (fault === 'cut-body') {
    response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy())
    return
  }
  if (fault === 'change-body') body[0] = (body[0] ?? 0) ^ 1
  response.end(body)
}

function send(target: string, request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const onward = advanceToNextSigners(target, request)
    onward.once('response', resolve)
    onward.once('error', reject)
    onward.end(body)
  })
}

/** Announces the whole body, sends the first half, and disconnects. */
async function sendHalf(target: string, request: IncomingMessage, body: Buffer): Promise<void> {
  const onward = advanceToNextSigners(target, request)
  onward.on('error', () => {})
  await new Promise<void>((resolve) => {
    onward.once('close', resolve)
    onward.write(body.subarray(0, body.length / 2), () => onward.destroy())
  })
}

function advanceToNextSigners(target: string, { method, url, headers }: IncomingMessage): ClientRequest {
  const { expect: _answeredAlready, ...rest } = headers
  return httpRequest(new URL(url ?? '/', target), { method, headers: rest })
}
