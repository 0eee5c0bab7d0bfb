// A webhook of the check's organisation, and the server that receives it.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { readBytes } from '#core/platform/http/read-within.ts'
import { boundUnreadBodies } from '#core/platform/http/unread-body.ts'
import { isSignatureValid } from '#core/webhook/verify-signature.ts'
import { z } from 'zod'
import { jsonBody, reach, request } from './client.ts'

const Created = z.object({ id: z.string(), secret: z.string() })
const Session = z.object({ csrfToken: z.string() })
const Event = z.object({ type: z.string(), data: z.object({ envelope: z.object({ id: z.string() }) }) })

const LAST_EVENT = 'envelope.completed'
const POLL_MS = 100
const RECEIVED_WITHIN_MS = 60_000
const BODY_LIMITS = { maxBytes: 1024 * 1024, maxSeconds: 30 }

interface WebhookOptions {
  baseUrl: string
  /** Where the service reaches this machine. */
  url: URL
  certificateFile: string
  adminEmail: string
  adminPassword: string
}

interface Delivery {
  signature: string
  body: Buffer
}

export interface WatchedWebhook extends AsyncDisposable {
  /** The type of the envelope's last event, once it has arrived. Throws one sentence when it does not in time or its signature is not valid. */
  received(envelopeId: string): Promise<string>
}

/** Starts the server and creates the webhook through the panel. Disposing deletes it and stops the server. */
export async function openWatchedWebhook(options: WebhookOptions): Promise<WatchedWebhook> {
  await using stack = new AsyncDisposableStack()
  const deliveries = await startServer(options, stack)
  const api = `${options.baseUrl}/settings/api`
  const headers = await signIn(api, { email: options.adminEmail, password: options.adminPassword })
  const body = { url: options.url.href, description: 'sealwright check-installation', eventTypes: [LAST_EVENT] }
  const { id, secret } = await request(Created, `${api}/webhooks`, { ...jsonBody(body), headers })
  stack.defer(() => request(z.unknown(), `${api}/webhooks/${id}`, { method: 'DELETE', headers }).then(() => {}))
  const running = stack.move()
  return {
    async received(envelopeId) {
      for (let waitedMs = 0; waitedMs < RECEIVED_WITHIN_MS; waitedMs += POLL_MS) {
        const delivery = deliveries.find(({ body }) => isOf(body, envelopeId))
        if (delivery) return checked(delivery, secret)
        await delay(POLL_MS)
      }
      throw new Error(`No webhook arrived within ${RECEIVED_WITHIN_MS / 1_000} s. Run "sealwright work status --kind delivery".`)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function startServer({ url, certificateFile }: WebhookOptions, stack: AsyncDisposableStack): Promise<Delivery[]> {
  const deliveries: Delivery[] = []
  const pem = await readFile(certificateFile)
  const server = createServer({ key: pem, cert: pem }, (incoming, response) => {
    const received = readBytes(incoming, response, BODY_LIMITS)
    received.then(
      (body) => {
        deliveries.push({ signature: String(incoming.headers['x-svc-signature']), body })
        response.writeHead(204).end()
      },
      () => response.writeHead(413).end(),
    )
  })
  boundUnreadBodies(server)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(Number(url.port), resolve)
  await promise
  stack.defer(async () => {
    server.closeAllConnections()
    server.close()
  })
  return deliveries
}

function isOf(body: Buffer, envelopeId: string): boolean {
  const event = Event.safeParse(JSON.parse(body.toString('utf8')))
  return event.success && event.data.data.envelope.id === envelopeId
}

function checked({ signature, body }: Delivery, secret: string): string {
  if (!isSignatureValid(signature, body, [secret], Math.floor(Date.now() / 1_000))) {
    throw new Error('The signature of the webhook is not valid.')
  }
  return LAST_EVENT
}

async function signIn(api: string, credentials: { email: string; password: string }): Promise<Record<string, string>> {
  const response = await reach(`${api}/session`, jsonBody(credentials))
  if (!response.ok) throw new Error(`The admin of the check cannot sign in: ${response.status}`)
  const { csrfToken } = Session.parse(await response.json())
  const cookie = response.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  return { Cookie: cookie.join('; '), 'X-CSRF-Token': csrfToken, 'Content-Type': 'application/json' }
}
