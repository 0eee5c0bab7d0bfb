// Webhooks that hang or refuse connections do not keep others from their events.
import { MAX_WEBHOOK_IN_FLIGHT } from '#core/limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOrganisation } from '../support/builders/rows.ts'
import { anEnvelope, aWebhook, deliveryCore, record } from '../support/builders/webhooks.ts'
import { readEvent, REFUSING_HOST, startDeliveryReceiver } from '../support/servers/delivery-receiver.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'
import { answerOf } from '../support/servers/webhook-receiver.ts'
import { newDispatcher } from '../../workers/deliver/dispatcher.ts'

const WEBHOOKS = 20
const HANGING = 2
/** More than one webhook may have in flight. */
const EVENTS = 5

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

// requirements: decisions/webhooks/isolation
test('of 20 webhooks two hang and one refuses: 17 get every event while the two still hang', async () => {
  const core = deliveryCore(database)
  const { orgId } = await anOrganisation(database.system)
  const ids = await Promise.all(Array.from({ length: WEBHOOKS }, () => aWebhook(core, orgId)))
  const hanging = ids.slice(0, HANGING)
  const [refusing] = ids.slice(HANGING)
  await database.owner`update webhooks set url = ${`https://${REFUSING_HOST}/`} where id = ${refusing!}`
  for (let event = 0; event < EVENTS; event++) await record(database.system, orgId, anEnvelope(), 'envelope.sent')

  const isHanging = (request: string) => hanging.some((id) => request.includes(id))
  const receiver = await startDeliveryReceiver((socket, request) => {
    if (!isHanging(request)) socket.write(answerOf(204))
  })
  await using dispatcher = newDispatcher(core, receiver.client)
  try {
    await dispatcher.start(orgId)
    const outcomes = () => database.owner`
      select case when webhook_id = any(${hanging}::uuid[]) then 'hanging' when webhook_id = ${refusing!} then 'refusing' else 'others' end as webhooks,
        status, attempts -> 0 -> 'failure' ->> 'code' as failure, count(*)::int, count(distinct webhook_id)::int as of
      from deliveries where org_id = ${orgId} group by 1, 2, 3 order by 1`
    await expect.poll(outcomes).toEqual([
      { webhooks: 'hanging', status: 'WAITING', failure: null, count: HANGING * EVENTS, of: HANGING },
      { webhooks: 'others', status: 'DELIVERED', failure: null, count: 17 * EVENTS, of: 17 },
      { webhooks: 'refusing', status: 'REJECTED', failure: 'CONNECTION_REFUSED', count: EVENTS, of: 1 },
    ])
    const [held, answered] = [receiver.requests.filter(isHanging), receiver.requests.filter((each) => !isHanging(each))]
    expect(held).toHaveLength(HANGING * MAX_WEBHOOK_IN_FLIGHT)
    expect(new Set(answered.map(readEvent).map(({ path, eventId }) => `${path} ${eventId}`)).size).toBe(17 * EVENTS)
    expect(answered).toHaveLength(17 * EVENTS)
  } finally {
    await receiver[Symbol.asyncDispose]()
  }
})
