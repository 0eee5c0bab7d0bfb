// A notifier that delivers everything three times: each envelope is still sealed once, and every email is sent.
import type { Notifier } from '#core/messaging/notifier.ts'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import type { MailTransport } from '#core/mail/mail-transport.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMail } from '../../workers/mail/start-mail.ts'
import { startRelay } from '../../workers/relay/start-relay.ts'
import { startSeal } from '../../workers/seal/start-seal.ts'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const ENVELOPES = 10
const LANES = 4

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

function notifyingThrice(): { notifier: Notifier; notifications: () => number } {
  const notifier = inProcessNotifier()
  let notifications = 0
  return {
    notifications: () => notifications,
    notifier: {
      ...notifier,
      async publish(messages) {
        for (const message of messages) {
          notifications++
          await notifier.publish([message, message, message])
        }
      },
    },
  }
}

test('each envelope is sealed once, and every email is sent', async () => {
  const sealed: Buffer[] = []
  const sealing: SealingPool = {
    ...service.sealing,
    async seal(request, key) {
      const bytes = await service.sealing.seal(request, key)
      sealed.push(bytes.sha256)
      return bytes
    },
  }
  const sent: string[] = []
  const transport: MailTransport = {
    async send({ id }) {
      sent.push(id)
      return { outcome: 'accepted' }
    },
    lastError: () => undefined,
    mayTry: () => true,
    close: async () => {},
  }
  const { notifier, notifications } = notifyingThrice()
  await using loops = new AsyncDisposableStack()
  loops.use(startSeal(service.system, notifier, sealing, LANES))
  loops.use(startMail(service.system, notifier, transport))
  loops.use(await startRelay(service.system, notifier))
  for (let count = 0; count < ENVELOPES; count++) {
    const { tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN] })
    for (const { token } of tokens) await signAs(service, token)
  }
  const { owner } = service.database
  const left = async () =>
    (
      await owner`
      select (select count(*)::int from seal_jobs where state <> 'DONE') as seals,
        (select count(*)::int from mails where state <> 'DONE') as mails, (select count(*)::int from outbox where published_at is null) as hints`
    )[0]
  await expect.poll(left).toEqual({ seals: 0, mails: 0, hints: 0 })
  expect(notifications()).toBeGreaterThan(ENVELOPES)
  expect(sealed).toHaveLength(ENVELOPES)
  const rows = await owner<{ sha256: Buffer }[]>`select sha256 from sealed_documents`
  expect(new Set(rows.map(({ sha256 }) => sha256.toString('hex')))).toEqual(
    new Set(sealed.map((sha256) => sha256.toString('hex'))),
  )
  expect(new Set(sent).size).toBe((await owner`select from mails`).length)
})
