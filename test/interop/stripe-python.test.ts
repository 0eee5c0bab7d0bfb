// Stripe's library for Python verifies what the deliverer sends over the network.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { runProgram } from '../support/clients/run-program.ts'
import { ensurePythonVenv } from '../support/servers/python-venv.ts'
import { startWebhookLife, type WebhookLife } from '../support/servers/webhook-life.ts'

const JUDGE = 'test/support/judges/stripe'
/** More than the library allows. */
const TOO_OLD_SECONDS = 400

let python: string
let life: WebhookLife

beforeAll(async () => {
  python = await ensurePythonVenv('stripe', path.resolve(JUDGE, 'requirements.txt'))
  life = await startWebhookLife()
}, 240_000)
afterAll(() => life[Symbol.asyncDispose]())

/** What arrives for an envelope that is sent now. */
async function deliver(): Promise<{ id: string; header: string; body: string }> {
  const earlier = life.received.length
  await aSentEnvelope(await life.client())
  await expect.poll(() => life.received.length).toBe(earlier + 1)
  const { headers, body } = life.received.at(-1)!
  return { id: headers['x-svc-event-id']!, header: headers['x-svc-signature']!, body: body.toString() }
}

test('a delivery is accepted with either secret, and rejected with another, another body and an old time', async () => {
  const admin = await life.admin()
  const { body: webhook } = await admin.post('/webhooks', { url: life.url, eventTypes: ['envelope.sent'] })
  const { body: rotated } = await admin.post(`/webhooks/${webhook.id}/rotate-secret`)
  const fresh = await deliver()
  await life.advance(-TOO_OLD_SECONDS)
  const old = await deliver()
  const deliveries = [
    { ...fresh, secret: rotated.secret },
    { ...fresh, secret: webhook.secret },
    { ...fresh, secret: `whsec_${randomUUID()}` },
    { ...fresh, secret: rotated.secret, body: `${fresh.body} ` },
    { ...old, secret: rotated.secret },
  ]
  const input = deliveries.map((each) => `${JSON.stringify(each)}\n`).join('')
  const { exitCode, stdout, stderr } = await runProgram(python, [path.resolve(JUDGE, 'judge.py')], input)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout.toString().trim().split('\n')).toEqual(['1', '1', '0', '0', '0'])
})
