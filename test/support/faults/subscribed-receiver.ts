// A webhook of the first organisation and its receiver, which outlives the service's processes. It refuses the first request of some events, so that there
// are retries.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EVENT_TYPES } from '#core/messaging/subjects.ts'
import { newTlsCertificates } from '../builders/tls-certificates.ts'
import { panelClient } from '../clients/panel-client.ts'
import { readEvent, type ReceivedEvent } from '../servers/delivery-receiver.ts'
import type { DevJson } from '../servers/running-service.ts'
import { answerOf, startWebhookReceiver } from '../servers/webhook-receiver.ts'

/** First requests of this type are refused. */
const REFUSED_AT_FIRST = 'signer.viewed'

export interface Arrival extends ReceivedEvent {
  atMs: number
  isAccepted: boolean
}

export interface SubscribedReceiver extends AsyncDisposable {
  /** Settings with which the service may deliver to it, with short retry delays. */
  environment: Record<string, string>
  /** In the order of their arrival. */
  arrivals: readonly Arrival[]
  /** Creates the webhook, for every type of event. */
  subscribe: (dev: DevJson) => Promise<void>
  /** After `subscribe`. */
  secret: () => string
}

/** Listens; the service is started afterwards. */
export async function startSubscribedReceiver(): Promise<SubscribedReceiver> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-receiver-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const certificates = await newTlsCertificates(['127.0.0.1'])
  const caFile = path.join(folder, 'ca.pem')
  await writeFile(caFile, certificates.ca)
  const arrivals: Arrival[] = []
  const receiver = stack.use(
    await startWebhookReceiver(certificates.valid, (socket, request) => {
      const event = readEvent(request)
      const isAccepted = !request.includes(`x-svc-event-type: ${REFUSED_AT_FIRST}`) || arrivals.some(isSame(event))
      arrivals.push({ ...event, atMs: Date.now(), isAccepted })
      socket.write(answerOf(isAccepted ? 204 : 500))
    }),
  )
  let secret = ''
  const ending = stack.move()
  return {
    environment: {
      SEALWRIGHT_WEBHOOK_ALLOWED_CIDRS: '127.0.0.1/32',
      SEALWRIGHT_WEBHOOK_CA_FILE: caFile,
      SEALWRIGHT_WEBHOOK_RETRY_DELAYS: '1s,1s,1s,1s,1s',
    },
    arrivals,
    async subscribe({ baseUrl, adminEmail, adminPassword }) {
      const panel = panelClient(baseUrl)
      await panel.signIn(adminEmail, adminPassword)
      const input = { url: `https://127.0.0.1:${receiver.port}/`, description: '', eventTypes: EVENT_TYPES }
      const { status, body } = await panel.post('/webhooks', input)
      if (status !== 201) throw new Error(`The webhook was not created: ${status} ${JSON.stringify(body)}`)
      secret = body.secret
    },
    secret: () => secret,
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  }
}

function isSame({ eventId }: ReceivedEvent): (other: ReceivedEvent) => boolean {
  return (other) => other.eventId === eventId
}
