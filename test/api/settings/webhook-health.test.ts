import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PanelClient, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let admin: PanelClient

beforeAll(async () => {
  service = await testService()
  admin = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())

async function aWebhook(): Promise<{ id: string }> {
  return (await admin.post('/webhooks', { url: 'https://93.184.215.14/hooks', eventTypes: ['envelope.sent'] })).body
}

describe('the last day of a webhook', () => {
  test('counts the ends of its deliveries by hour, without tests, older ones and those of others', async () => {
    const [own, other] = [await aWebhook(), await aWebhook()]
    const add = (webhookId: string, age: string, status: string, kind = 'EVENT') => service.database.owner`
      insert into deliveries (org_id, id, webhook_id, event_id, event_type, kind, status, created_at)
      select ${service.organisation.orgId}, time_ordered_id(at, uuid_send(gen_random_uuid())), ${webhookId}, gen_random_uuid(),
        'envelope.sent', ${kind}, ${status}, at
      from (select sealwright_now() - ${age}::interval as at) a`
    for (const status of ['DELIVERED', 'DELIVERED', 'REJECTED', 'NOT_SENT', 'WAITING']) await add(own.id, '10 minutes', status)
    await add(own.id, '90 minutes', 'GAVE_UP', 'REPLAY')
    await add(own.id, '23 hours 50 minutes', 'NOT_BUILT')
    await add(own.id, '25 hours', 'DELIVERED')
    await add(own.id, '10 minutes', 'DELIVERED', 'TEST')
    await add(own.id, '10 minutes', 'GAVE_UP', 'PROBE')
    await add(other.id, '10 minutes', 'DELIVERED')
    const { body } = await admin.get('/webhooks')
    const lastDay = body.find(({ id }: { id: string }) => id === own.id).lastDay
    const nothing = { delivered: 0, failed: 0 }
    expect(lastDay).toEqual([
      { delivered: 0, failed: 1 },
      ...Array.from({ length: 21 }, () => nothing),
      { delivered: 0, failed: 1 },
      { delivered: 2, failed: 1 },
    ])
  })
})
