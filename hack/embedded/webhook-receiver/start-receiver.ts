// A receiver of webhooks on this machine, to try them with: it keeps what it gets, and answers as it is set at `/dev/webhooks`.
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReceivedRequest, ReceiverBehaviour, WebhookInbox } from '../../../api/http/mounts/dev-webhooks/inbox.ts'
import type { WebhookReceiver } from '#core/context.ts'
import type { Logger } from '#core/platform/log.ts'
import type { DataFolder } from '../data-folder.ts'
import { loadOrCreateCertificate } from './certificate.ts'
import { BodyLimitError, readBytes } from '#core/platform/http/read-within.ts'
import { boundUnreadBodies } from '#core/platform/http/unread-body.ts'
import { listenAsBefore, LOOPBACK } from './listen.ts'

const MOST_REQUESTS = 100
const BODY_LIMITS = { maxBytes: 1024 * 1024, maxSeconds: 30 }

export interface RunningReceiver extends AsyncDisposable {
  address: WebhookReceiver
  inbox: WebhookInbox
}

export interface ReceiverOptions {
  folder: DataFolder
  log: Logger
  /** When a request arrived, and whether its signature is valid. */
  check: (
    port: number,
    request: { signature?: string | undefined; body: Buffer },
  ) => Promise<{ at: Date; signatureValid: boolean }>
  /** Aborted when the deliverer stops: requests that hang are answered with 503, so that it does not wait for them. */
  signal: AbortSignal
}

/** Accepts requests when it resolves. */
export async function startReceiver({ folder, log, check, signal }: ReceiverOptions): Promise<RunningReceiver> {
  const { key, cert, ca } = await loadOrCreateCertificate(folder)
  const requests: ReceivedRequest[] = []
  let behaviour: ReceiverBehaviour = { status: 200 }
  let received = 0
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBytes(request, response, BODY_LIMITS)
    const { headers, method = '', url = '' } = request
    const { at, signatureValid } = await check(port, { signature: headersOf(request)['x-svc-signature'], body })
    const answer = behaviour
    const entry = { id: ++received, at: at.toISOString(), method, path: url, body: body.toString('utf8'), signatureValid, answer }
    requests.unshift({ ...entry, headers: headersOf({ headers }) })
    requests.length = Math.min(requests.length, MOST_REQUESTS)
    if ('status' in answer) response.writeHead(answer.status).end()
    else await stopped(signal, response)
  }
  const server = createServer({ key, cert, ALPNProtocols: ['http/1.1'] }, (request, response) => {
    receive(request, response).catch((error: unknown) => {
      // A client that disconnected needs no answer, and its request is not complete.
      if (request.errored || response.destroyed) return
      if (!(error instanceof BodyLimitError)) log.error({ err: error }, 'webhook_receiver.failed')
      response.writeHead(error instanceof BodyLimitError ? 413 : 503, { connection: 'close' }).end()
    })
  })
  boundUnreadBodies(server)
  const port = await listenAsBefore(server, folder)
  return {
    address: { endpoint: `${LOOPBACK}:${port}`, ca },
    inbox: {
      endpointUrl: `https://${LOOPBACK}:${port}/`,
      requests: () => requests,
      behaviour: () => behaviour,
      setBehaviour: (next) => (behaviour = next),
    },
    async [Symbol.asyncDispose]() {
      const { promise, resolve } = Promise.withResolvers<void>()
      server.close(() => resolve())
      server.closeAllConnections()
      await promise
    },
  }
}

/** A header that occurs twice is one text, as in HTTP. */
function headersOf({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))
}

/** Holds the request until the client gives up or the service stops, which answers it with 503. */
async function stopped(signal: AbortSignal, response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', () => resolve(), { once: true })
  response.once('close', () => resolve())
  await promise
  if (!response.destroyed) response.writeHead(503, { connection: 'close' }).end()
}
