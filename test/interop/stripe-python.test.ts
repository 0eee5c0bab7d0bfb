// Requests as the deliver role sends them, received over TLS and verified with Stripe's Python library.
import { newId, WebhookId } from '#core/ids.ts'
import { randomBytes } from 'node:crypto'
import { EVENT_TYPES } from '#core/messaging/subjects.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { newWebhookSecret, secretContext } from '#core/webhook/secret.ts'
import { sendEvent } from '#core/webhook/send-event.ts'
import { newSyntheticEvent } from '#core/webhook/synthetic-event.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyWithStripePython } from '../support/judges/stripe-python.ts'
import { type DeliveryReceiver, readEvent, RECEIVER_HOST, startDeliveryReceiver } from '../support/servers/delivery-receiver.ts'
import { answerOf } from '../support/servers/webhook-receiver.ts'

const INSTALLS_WITHIN_MS = 240_000
const SECRETS = { current: newWebhookSecret().secret, previous: newWebhookSecret().secret, other: newWebhookSecret().secret }
/** The library accepts signatures of the last five minutes. */
const TOO_OLD_MS = 301_000

let receiver: DeliveryReceiver

beforeAll(async () => {
  receiver = await startDeliveryReceiver((socket) => void socket.write(answerOf(204)))
})
afterAll(() => receiver[Symbol.asyncDispose]())

/** Sends an event of each type, during the rotation of the secret. */
async function sendAll(takenAt: Date): Promise<void> {
  const keys = deriveInstallationKeys(randomBytes(32))
  const webhookId = newId(WebhookId)
  const box = (secret: string) => keys.seal(secret, secretContext(webhookId))
  for (const eventType of EVENT_TYPES) {
    const { id: eventId, body } = newSyntheticEvent(eventType, takenAt)
    const boxes = { secretBox: box(SECRETS.current), previousSecretBox: box(SECRETS.previous) }
    const event = { webhookId, url: `https://${RECEIVER_HOST}/`, eventId, eventType, body, isSynthetic: false, takenAt, ...boxes }
    expect(await sendEvent({ keys }, receiver.client, event)).not.toHaveProperty('failure')
  }
}

test(
  'accepts every type of event with either secret, and refuses other secrets, other bodies and old signatures',
  async () => {
    await sendAll(new Date())
    await sendAll(new Date(Date.now() - TOO_OLD_MS))
    const received = receiver.requests.map(readEvent)
    const [recent, old] = [received.slice(0, EVENT_TYPES.length), received.slice(EVENT_TYPES.length)]
    const signedWith = (secret: string, events = recent) =>
      events.map(({ body, signature: header }) => ({ body, header, secret }))
    const verify = async (requests: ReturnType<typeof signedWith>) =>
      (await verifyWithStripePython(requests)).map((verdict) => verdict.replace(/(refused).*/s, '$1'))
    const refused = EVENT_TYPES.map(() => 'refused')
    expect(await verify(signedWith(SECRETS.current))).toEqual(EVENT_TYPES)
    expect(await verify(signedWith(SECRETS.previous))).toEqual(EVENT_TYPES)
    expect(await verify(signedWith(SECRETS.other))).toEqual(refused)
    expect(await verify(signedWith(SECRETS.current).map((each) => ({ ...each, body: `${each.body} ` })))).toEqual(refused)
    expect(await verify(signedWith(SECRETS.current, old))).toEqual(refused)
  },
  INSTALLS_WITHIN_MS,
)
