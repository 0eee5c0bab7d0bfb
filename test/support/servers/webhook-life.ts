// The service with the deliver role, a receiver with TLS, and a clock that can be moved on, for tests of webhooks over days.
import { connect } from 'node:net'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import { openPostClient } from '#core/webhook/request/post-client.ts'
import Stripe from 'stripe'
import { startDeliver } from '../../../workers/deliver/start-deliver.ts'
import type { Loop } from '../../../workers/runtime/loop.ts'
import { newTlsCertificates } from '../builders/tls-certificates.ts'
import { type ApiClient, apiClient } from '../clients/api-client.ts'
import { aPerson, type PanelClient, panelClient, type TestPerson } from '../clients/panel-client.ts'
import { testService, type TestService } from './test-service.ts'
import { answerOf, type AnswerScript, startWebhookReceiver } from './webhook-receiver.ts'

/** Public, so that the address check lets it pass; the connection goes to the receiver on this machine. */
const ADDRESS = '93.184.215.14'

export interface ReceivedEvent {
  /** In lower case. */
  headers: Record<string, string>
  body: Buffer
  /** Seconds, by the database clock. */
  at: number
}

export interface WebhookLife extends AsyncDisposable {
  service: TestService
  url: string
  /** Oldest first. */
  received: ReceivedEvent[]
  /** Answers with this status from now on. */
  answer(status: number): void
  /** Runs instead of an answer, from now on. */
  script(script: AnswerScript): void
  /** Moves the database clock; the clock of the process keeps its time. */
  advance(seconds: number): Promise<void>
  /** With a session, and a token, of the moved clock's present. */
  admin(): Promise<PanelClient>
  client(): Promise<ApiClient>
  admins: readonly TestPerson[]
  /** Another worker with the deliver role; one runs already. */
  startWorker(): Loop
}

/** With two admins and a member. */
export async function startWebhookLife(environment: Record<string, string> = {}): Promise<WebhookLife> {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await testService(environment))
  const { orgId } = service.organisation
  const certificates = await newTlsCertificates([ADDRESS])
  const received: ReceivedEvent[] = []
  let offset = 0
  let current: AnswerScript = (socket) => socket.write(answerOf(204))
  const receiver = stack.use(
    await startWebhookReceiver(certificates.valid, (socket, request, reset) => {
      received.push({ ...parse(request), at: Date.now() / 1000 + offset })
      current(socket, request, reset)
    }),
  )
  const startWorker = () => startDeliver(service.system, inProcessNotifier(), newClient())
  const newClient = () =>
    openPostClient({
      rules: { allowed: [], denied: [] },
      timeoutMs: service.system.settings.webhookTimeoutSeconds * 1_000,
      connectTimeoutMs: service.system.settings.webhookConnectTimeoutSeconds * 1_000,
      ca: certificates.ca,
      dial: () => connect(receiver.port, '127.0.0.1'),
    })
  const admins = [await aPerson(service.system.database, orgId), await aPerson(service.system.database, orgId)]
  await aPerson(service.system.database, orgId, { role: 'MEMBER' })
  stack.use(startWorker())
  const running = stack.move()
  return {
    service,
    url: `https://${ADDRESS}/hooks`,
    received,
    answer: (status) => (current = (socket) => socket.write(answerOf(status))),
    script: (script) => (current = script),
    async advance(seconds) {
      offset += seconds
      await service.database.moveClock(offset)
    },
    async admin() {
      const client = panelClient(service.url)
      const { status, body } = await client.signIn(admins[0]!.email, admins[0]!.password)
      if (status !== 200) throw new Error(`Could not sign in: ${status} ${JSON.stringify(body)}`)
      return client
    },
    client: () => apiClient(service.url, service.organisation),
    admins,
    startWorker,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

const stripe = new Stripe('sk_test_unused')

/** The event, when the signature holds for this secret and its time is right; else throws. */
export function verified({ body, headers, at }: ReceivedEvent, secret: string): { id: string; type: string } {
  const header = headers['x-svc-signature'] ?? ''
  const t = Number(/^t=(\d+),/.exec(header)?.[1])
  if (!(Math.abs(at - t) < 60)) throw new Error(`The signature's time ${t} is not that of the database, ${at}`)
  return stripe.webhooks.constructEvent(body, header, secret, 300, undefined, at * 1_000)
}

function parse(request: string): Pick<ReceivedEvent, 'headers' | 'body'> {
  const end = request.indexOf('\r\n\r\n')
  const lines = request.slice(0, end).split('\r\n').slice(1)
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { headers, body: Buffer.from(request.slice(end + 4), 'latin1') }
}
