import { expect, test } from 'vitest'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import { startDeliver } from '../../workers/deliver/start-deliver.ts'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { signedIn } from '../support/clients/panel-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

async function waitingForLocks({ database: { owner } }: TestService): Promise<number> {
  const [row] = await owner<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return row!.count
}

test('disabling a webhook while a delivery to it ends is no deadlock, and the delivery counts as delivered', async () => {
  await using service = await testService()
  const { owner } = service.database
  const admin = await signedIn(service)
  const input = { url: 'https://93.184.215.14/hooks', eventTypes: ['envelope.sent'] }
  const { body: webhook } = await admin.post('/webhooks', input)
  // The end of a delivery then changes the webhook, too.
  await owner`update webhooks set consecutive_exhausted = 1`
  await aSentEnvelope(service.client)
  const { disabling, deliverer } = await owner.begin(async (sql) => {
    await sql`select from webhooks for update`
    const disabling = [admin.patch(`/webhooks/${webhook.id}`, { enabled: false })]
    await expect.poll(() => waitingForLocks(service)).toBe(1)
    const running = startDeliver(service.system, inProcessNotifier(), {
      post: () => Promise.resolve({ responseStatus: 204, durationMs: 1 }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    })
    await expect.poll(() => waitingForLocks(service)).toBe(2)
    return { disabling, deliverer: running }
  })
  await using _ = deliverer
  expect((await Promise.all(disabling))[0]?.status).toBe(200)
  await expect.poll(async () => (await owner`select status from deliveries`)[0]!['status']).toBe('DELIVERED')
})
