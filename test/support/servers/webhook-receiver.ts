// A TLS server that answers each request as a script says, byte by byte if it likes.
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from 'node:tls'

/** Called with each complete request; `reset` ends the TCP connection under TLS. */
export type AnswerScript = (socket: TLSSocket, request: string, reset: () => void) => void

export interface WebhookReceiver extends AsyncDisposable {
  port: number
  /** Each complete request: head and body. */
  requests: string[]
  /** Every TCP connection that it accepted. */
  connections(): number
  /** Connections that are still open. */
  open(): number
  /** Replaces the script, for requests from now on. */
  answer(script: AnswerScript): void
}

/** Listens on 127.0.0.1. */
export async function startWebhookReceiver(tls: TlsOptions, script: AnswerScript): Promise<WebhookReceiver> {
  const requests: string[] = []
  let current = script
  const byPort = new Map<number | undefined, Socket>()
  const server = createTlsServer(tls, (socket) => {
    const raw = byPort.get(socket.remotePort)
    readRequests(socket, (request) => {
      requests.push(request)
      current(socket, request, () => void raw?.resetAndDestroy())
    })
  })
  server.on('tlsClientError', () => {}).on('connection', (raw) => byPort.set(raw.remotePort, raw))
  const listening = await listen(server)
  return { ...listening, requests, answer: (next) => (current = next) }
}

/** Listens without TLS on 127.0.0.1, for receivers that fail before or during the handshake. */
export async function startTcpReceiver(onConnection: (socket: Socket) => void): Promise<WebhookReceiver> {
  const server = createTcpServer((socket) => onConnection(socket.resume()))
  return { ...(await listen(server)), requests: [], answer: () => {} }
}

/** A complete answer that keeps the connection open. */
export function answerOf(status: number, headers = '', body = ''): string {
  return `HTTP/1.1 ${status} Answer\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`
}

function readRequests(socket: TLSSocket, onRequest: (request: string) => void): void {
  let buffer = ''
  socket.setEncoding('latin1').on('error', () => {})
  socket.on('data', (chunk: string) => {
    buffer += chunk
    for (;;) {
      const headEnd = buffer.indexOf('\r\n\r\n')
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(buffer)?.[1] ?? 0)
      const end = headEnd + 4 + length
      if (headEnd < 0 || buffer.length < end) return
      onRequest(buffer.slice(0, end))
      buffer = buffer.slice(end)
    }
  })
}

async function listen(server: Server) {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    connections: () => connections,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
