// A scripted receiver of deliveries and the product's client in front of it. The address check runs as in the product; only the connection to a vetted
// public address goes to the receiver on this machine.
import { connect } from 'node:net'
import { openPostClient, type PostClient } from '#core/webhook/request/post-client.ts'
import { newTlsCertificates } from '../builders/tls-certificates.ts'
import { type AnswerScript, startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

export const RECEIVER_HOST = 'receiver.example'
/** Resolves to an address at which nothing listens. */
export const REFUSING_HOST = 'refusing.example'
const ADDRESSES: Readonly<Record<string, string>> = { [RECEIVER_HOST]: '93.184.215.14', [REFUSING_HOST]: '93.184.215.15' }
/** Nothing listens there, and no test can: a free port could be taken meanwhile. */
const REFUSING_PORT = 1
/** Much longer than a test, so that a request which hangs still hangs at the end of the test. */
const TIMEOUT_MS = 600_000

export interface DeliveryReceiver extends WebhookReceiver {
  client: PostClient
}

export interface ReceivedEvent {
  path: string
  eventId: string
  signature: string
  body: string
}

/** Disposing ends the requests that hang, and then the client. */
export async function startDeliveryReceiver(script: AnswerScript): Promise<DeliveryReceiver> {
  const certificates = await newTlsCertificates([RECEIVER_HOST])
  const receiver = await startWebhookReceiver(certificates.valid, script)
  const client = openPostClient({
    rules: { allowed: [], denied: [] },
    lookup: async (host) => [ADDRESSES[host] ?? ''],
    ca: certificates.ca,
    timeoutMs: TIMEOUT_MS,
    connectTimeoutMs: TIMEOUT_MS,
    dial: (address) => connect(address === ADDRESSES[REFUSING_HOST] ? REFUSING_PORT : receiver.port, '127.0.0.1'),
  })
  return {
    ...receiver,
    client,
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await client[Symbol.asyncDispose]()
    },
  }
}

/** The request as its receiver reads it. */
export function readEvent(request: string): ReceivedEvent {
  const headEnd = request.indexOf('\r\n\r\n')
  const head = request.slice(0, headEnd)
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  return {
    path: head.split(' ')[1] ?? '',
    eventId: header('x-svc-event-id'),
    signature: header('x-svc-signature'),
    body: Buffer.from(request.slice(headEnd + 4), 'latin1').toString('utf8'),
  }
}
