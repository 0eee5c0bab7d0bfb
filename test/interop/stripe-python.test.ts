// Stripe's library for Python verifies what the product sends.
import { randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { WebhookId, newId } from '#core/ids.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { newWebhookSecret, secretContext } from '#core/webhook/secret.ts'
import { sendEvent } from '#core/webhook/send-event.ts'
import { newSyntheticEvent } from '#core/webhook/synthetic-event.ts'
import { expect, test } from 'vitest'
import { fakeClient } from '../support/builders/webhooks.ts'
import { runProgram } from '../support/clients/run-program.ts'
import { ensurePythonVenv } from '../support/servers/python-venv.ts'

const JUDGE = 'test/support/judges/stripe'

test('a delivery is accepted with either secret, and rejected with another, another body and an old time', async () => {
  const python = await ensurePythonVenv('stripe', path.resolve(JUDGE, 'requirements.txt'))
  const keys = deriveInstallationKeys(randomBytes(32))
  const webhookId = newId(WebhookId)
  const [newest, previous] = [newWebhookSecret().secret, newWebhookSecret().secret]
  const [secretBox, previousSecretBox] = [newest, previous].map((secret) => keys.seal(secret, secretContext(webhookId)))
  const { client, sent } = fakeClient()
  const sendAt = async (takenAt: Date) => {
    const { id: eventId, body } = newSyntheticEvent('envelope.sent', takenAt)
    const event = { webhookId, url: 'https://receiver.example/', eventId, eventType: 'envelope.sent', body } as const
    const boxes = { secretBox: secretBox!, previousSecretBox: previousSecretBox! }
    await sendEvent({ keys }, client, { ...event, ...boxes, isSynthetic: true, takenAt })
    const { headers, body: bytes } = sent.at(-1)!
    return { id: eventId, header: headers['x-svc-signature'], body: bytes.toString(), secret: newest }
  }
  const fresh = await sendAt(new Date())
  const deliveries = [
    fresh,
    { ...fresh, secret: previous },
    { ...fresh, secret: `whsec_${randomUUID()}` },
    { ...fresh, body: `${fresh.body} ` },
    await sendAt(new Date(Date.now() - 400_000)),
  ]
  const input = deliveries.map((each) => `${JSON.stringify(each)}\n`).join('')
  const { exitCode, stdout, stderr } = await runProgram(python, [path.resolve(JUDGE, 'judge.py')], input)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout.toString().trim().split('\n')).toEqual(['1', '1', '0', '0', '0'])
}, 240_000)
