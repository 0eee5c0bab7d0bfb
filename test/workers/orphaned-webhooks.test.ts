// Webhooks whose objects in Kubernetes have gone without a deletion.
import { newId, OrgId } from '#core/ids.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import { adopt } from '#core/webhook/mirror/adopt.ts'
import { countOrphaned, markOrphaned } from '#core/webhook/mirror/mark-orphaned.ts'
import { readMirrored } from '#core/webhook/mirror/read-mirrored.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anObject, applied, FENCE } from '../support/builders/managed-webhooks.ts'
import { aDeliveryWorld, type DeliveryWorld } from '../support/builders/delivery-world.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let world: DeliveryWorld

beforeAll(async () => {
  database = await testDatabase()
  await takeLeadership({ database: database.system }, { ...FENCE, holder: 'one' })
})
beforeEach(async () => {
  await database.owner`delete from webhooks`
  world = await aDeliveryWorld(database)
})
afterAll(() => database[Symbol.asyncDispose]())

describe('an object that has gone', () => {
  const SINCE = new Date('2026-11-01T00:00:00Z')

  test('leaves a marked webhook that gets events, until the object is there again', async () => {
    const object = anObject(world.orgId)
    const { id } = await applied(world.core, object)
    await markOrphaned(world.core, FENCE, [object.uid, 'unknown'], SINCE)
    await markOrphaned(world.core, FENCE, [object.uid], new Date())
    expect(await readMirrored(world.core, { id })).toMatchObject({ orphanedAt: SINCE, version: 2 })
    expect(await countOrphaned(world.core)).toBe(1)
    await world.recordEvent()
    expect(await database.owner`select status from deliveries where webhook_id = ${id}`).toEqual([{ status: 'WAITING' }])
    expect(await applied(world.core, object)).toMatchObject({ orphanedAt: null, version: 3 })
  })

  test('can be followed by a new one, which adopts the webhook and drops its own', async () => {
    const former = anObject(world.orgId)
    const { id } = await applied(world.core, former)
    const next = { ...former, uid: 'next', generation: 1 }
    const own = await applied(world.core, next)
    const adoption = { ...next, id }
    expect(await adopt(world.core, FENCE, adoption)).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining(former.name),
    })
    await markOrphaned(world.core, FENCE, [former.uid], SINCE)
    for (let time = 0; time < 2; time++) expect(await adopt(world.core, FENCE, adoption)).toEqual({ outcome: 'adopted' })
    expect(await readMirrored(world.core, { uid: 'next' })).toMatchObject({ id, orphanedAt: null })
    expect(await readMirrored(world.core, { id: own.id })).toBeUndefined()
    expect(await applied(world.core, next)).toMatchObject({ id })
  })

  test("is not adopted by another organisation's object", async () => {
    const former = anObject(world.orgId)
    const { id } = await applied(world.core, former)
    await markOrphaned(world.core, FENCE, [former.uid], SINCE)
    const other = anObject(newId(OrgId))
    expect(await adopt(world.core, FENCE, { ...other, id })).toMatchObject({ outcome: 'refused' })
    expect(await adopt(world.core, FENCE, { ...other, orgId: world.orgId, id: world.webhookId })).toMatchObject({
      outcome: 'refused',
    })
  })
})
