// An admin, `suspend` in Kubernetes and the workers disable and enable a webhook at the same time: no vote changes another.
import type { Sql } from '#core/platform/postgres/client.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import { applyManaged } from '#core/webhook/mirror/apply-managed.ts'
import { applyCommands } from '#core/webhook/mirror/apply-commands.ts'
import { runNextProbe } from '#core/webhook/send/run-next-probe.ts'
import { castVote, lockWebhook } from '#core/webhook/store.ts'
import { disableWebhook, enableWebhook } from '#core/webhook/switch-webhook.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anObject, FENCE, publicLookup } from '../support/builders/managed-webhooks.ts'
import { aDeliveryWorld, type DeliveryWorld } from '../support/builders/delivery-world.ts'
import { fakeClient } from '../support/builders/webhooks.ts'
import { type Contender, inOrder, outcomeOf } from '../support/invariants/races/arrange.ts'
import { brokenCounters } from '../support/invariants/races/invariants.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let world: DeliveryWorld

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.owner`delete from mirror_leader`
  world = await aDeliveryWorld(database)
  await takeLeadership(world.core, { ...FENCE, holder: 'one' })
})
afterAll(() => database[Symbol.asyncDispose]())

const suspend = (suspended: boolean) =>
  applyCommands(world.core, FENCE, { id: world.webhookId, suspend: suspended, generation: 1 })
const byAdmin = (change: (sql: Sql) => Promise<void>) =>
  inOrganisation(database.api, world.orgId, async (sql) => {
    await lockWebhook(sql, world.orgId, world.webhookId)
    await change(sql)
  })
const lockRow = (sql: Sql) => sql`select from webhooks where id = ${world.webhookId} for update`
const votes = async () => {
  const [row] = await database.owner`
    select disabled_by_admin_at is not null as admin, suspended_at is not null as suspended, disabled_automatically_at is not null as automatic
    from webhooks where id = ${world.webhookId}`
  return row
}
const permutations = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, index) => permutations(list.toSpliced(index, 1)).map((rest) => [one, ...rest]))

describe('in every order', () => {
  const CONTENDERS: Record<string, () => Promise<unknown>> = {
    suspend: () => suspend(true),
    admin: () => byAdmin((sql) => disableWebhook(sql, world.orgId, world.webhookId, 'BY_ADMIN')),
    exhausted: async () => world.exhaust(await lastJob()),
  }
  let lastJob: () => Promise<Awaited<ReturnType<DeliveryWorld['aJob']>>>

  test.each(permutations(Object.keys(CONTENDERS)))('%s, %s, %s: an admin and a suspension both stand', async (...order) => {
    const jobs = [await world.aJob(), await world.aJob(), await world.aJob()]
    await world.exhaust(jobs[0]!)
    await world.exhaust(jobs[1]!)
    lastJob = async () => jobs[2]!
    const contenders = order.map(
      (name): Contender =>
        async () =>
          void (await CONTENDERS[name]!()),
    )
    expect(await inOrder(database, lockRow, contenders)).toEqual(['done', 'done', 'done'])
    // After another vote the delivery was closed, and its end does not count.
    expect(await votes()).toEqual({ admin: true, suspended: true, automatic: order[0] === 'exhausted' })
    expect(await database.owner`select from delivery_jobs where webhook_id = ${world.webhookId}`).toEqual([])
    expect(await brokenCounters(database.owner, world.orgId)).toEqual([])
  })

  test.each([
    ['suspend', 'probe'],
    ['probe', 'suspend'],
    ['resume', 'admin enables'],
    ['admin enables', 'resume'],
    ['admin enables', 'suspend', 'probe'],
    ['probe', 'resume', 'suspend'],
  ])('%s, %s, %s: an automatic disabling ends, and the last word of `suspend` stands', async (...order) => {
    await castVote(database.system, world.orgId, world.webhookId, 'AUTOMATIC')
    if (order.includes('resume')) await suspend(true)
    await suspend(order.includes('resume'))
    await database.owner`insert into webhook_probes (org_id, webhook_id, request, due_at)
      values (${world.orgId}, ${world.webhookId}, 'p1', now()) on conflict (org_id, webhook_id) do update set request = 'p1', due_at = now()`
    const steps: Record<string, Contender> = {
      suspend: async () => void (await suspend(true)),
      resume: async () => void (await suspend(false)),
      probe: async () => void (await runNextProbe(world.core, fakeClient().client, { orgId: world.orgId, id: world.webhookId })),
      'admin enables': () => byAdmin((sql) => enableWebhook(sql, world.orgId, world.webhookId)),
    }
    await inOrder(
      database,
      lockRow,
      order.map((name) => steps[name]!),
    )
    const last = order.findLast((name) => name === 'suspend' || name === 'resume')
    expect(await votes()).toEqual({ admin: false, suspended: last === 'suspend', automatic: false })
    expect(await brokenCounters(database.owner, world.orgId)).toEqual([])
  })
})

test('of two controllers that both mean to lead, only the later changes a webhook', async () => {
  const object = anObject(world.orgId)
  const rounds = Array.from({ length: 20 }, async (_, round) => {
    const fence = { transitions: round % 2 === 0 ? FENCE.transitions : 2 }
    const changed = { ...object, description: `by ${fence.transitions}`, generation: round + 1 }
    return outcomeOf(() =>
      applyManaged(world.core, fence, changed, publicLookup).then(
        () => `${fence.transitions}`,
        (error: Error) => error.name,
      ),
    )
  })
  await takeLeadership(world.core, { transitions: 2, holder: 'two' })
  const outcomes = await Promise.all(rounds)
  expect(await applyManaged(world.core, { transitions: 2 }, { ...object, description: 'by 2' }, publicLookup)).toMatchObject({
    webhook: { description: 'by 2' },
  })
  const late = applyManaged(world.core, FENCE, { ...object, description: 'late' }, publicLookup)
  await expect(late).rejects.toThrow('number 2 does')
  expect(outcomes).toContain('FencedError')
  expect(await database.owner`select description from webhooks where object_uid = ${object.uid}`).toEqual([
    { description: 'by 2' },
  ])
})
