// What Kubernetes has to be shown, and which controller may write.
import { acknowledgeChanges } from '#core/mirror/acknowledge-changes.ts'
import { FencedError } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { listChanges } from '#core/mirror/list-changes.ts'
import { onMirrorChange } from '#core/mirror/on-mirror-change.ts'
import { outboxAgeSeconds } from '#core/mirror/outbox-age.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import type { WebhookId } from '#core/ids.ts'
import { insertProbe } from '#core/webhook/probe/probe-job.ts'
import { castVote, changeWebhook, deleteWebhookRow, markSlow } from '#core/webhook/store.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { anOrganisation, type Organisation } from '../support/builders/rows.ts'
import { aWebhook, deliveryCore } from '../support/builders/webhooks.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let organisation: Organisation
let core: ReturnType<typeof deliveryCore>

beforeAll(async () => {
  database = await testDatabase()
  core = deliveryCore(database)
})
beforeEach(async () => {
  await database.owner`delete from mirror_changes`
  await database.owner`delete from mirror_leader`
  organisation = await anOrganisation(database.system)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

const FENCE = { transitions: 5 }
const lead = (transitions = FENCE.transitions, holder = 'one') => takeLeadership(core, { transitions, holder })
const versionOf = async (id: WebhookId) => (await database.owner`select version from webhooks where id = ${id}`)[0]?.['version']

describe('a change', () => {
  const changing: [string, (id: WebhookId) => Promise<unknown>][] = [
    ['of the address', (id) => changeWebhook(database.system, organisation.orgId, id, { url: 'https://new.example.test/' })],
    ['of a vote', (id) => castVote(database.system, organisation.orgId, id, 'AUTOMATIC')],
    ['of its object', (id) => database.owner`update webhooks set orphaned_at = now() where id = ${id}`],
  ]
  test.each(changing)('%s counts up the version and has to be shown', async (_, change) => {
    const id = await aWebhook(core, organisation.orgId)
    const [added] = await listChanges(core, 10)
    expect(added).toMatchObject({ kind: 'WEBHOOK', orgId: organisation.orgId, id })
    await change(id)
    expect(await versionOf(id)).toBe(2)
    const [changed, ...others] = await listChanges(core, 10)
    expect(changed).toMatchObject({ id, changedAt: added!.changedAt })
    expect(changed!.seq).toBeGreaterThan(added!.seq)
    expect(others).toEqual([])
  })

  test.each<[string, (id: WebhookId) => Promise<unknown>]>([
    ['a deletion', (id) => deleteWebhookRow(database.system, organisation.orgId, id)],
    ['a probe', (id) => insertProbe(database.system, organisation.orgId, id, 60)],
  ])('%s has to be shown', async (_, change) => {
    const id = await aWebhook(core, organisation.orgId)
    await database.owner`delete from mirror_changes`
    await change(id)
    expect(await listChanges(core, 10)).toMatchObject([{ id }])
  })

  test.each<[string, (id: WebhookId) => Promise<unknown>]>([
    ['that it is slow', (id) => markSlow(database.system, organisation.orgId, id, 60)],
    ['to what it was', (id) => changeWebhook(database.system, organisation.orgId, id, { description: '' })],
    [
      'of the lease of its probe',
      (id) => database.owner`update webhook_probes set attempts = attempts + 1 where webhook_id = ${id}`,
    ],
  ])('%s does not count', async (_, change) => {
    const id = await aWebhook(core, organisation.orgId)
    await insertProbe(database.system, organisation.orgId, id, 60)
    await database.owner`delete from mirror_changes`
    await change(id)
    expect([await versionOf(id), await listChanges(core, 10)]).toEqual([1, []])
  })

  test('is announced after its commit', async () => {
    const wake = vi.fn()
    await using _ = await onMirrorChange(core, wake)
    await aWebhook(core, organisation.orgId)
    await vi.waitFor(() => expect(wake.mock.calls.length).toBeGreaterThan(1))
  })

  test('is listed by pages and waits since its first time', async () => {
    const ids = [await aWebhook(core, organisation.orgId), await aWebhook(core, organisation.orgId)]
    const [first] = await listChanges(core, 1)
    expect([first!.id, ...(await listChanges(core, 1, first!.seq)).map(({ id }) => id)]).toEqual(ids)
    await database.moveClock(300)
    await castVote(database.system, organisation.orgId, ids[0]!, 'BY_ADMIN')
    expect(await outboxAgeSeconds(core)).toBeGreaterThan(299)
    await database.owner`delete from mirror_changes`
    expect(await outboxAgeSeconds(core)).toBe(0)
  })
})

describe('an acknowledged change', () => {
  test('is not listed again, unless its object has changed since', async () => {
    await lead()
    const [kept, shown] = [await aWebhook(core, organisation.orgId), await aWebhook(core, organisation.orgId)]
    const changes = await listChanges(core, 10)
    await castVote(database.system, organisation.orgId, kept, 'BY_ADMIN')
    expect(await acknowledgeChanges(core, FENCE, changes)).toBe(1)
    expect(await listChanges(core, 10)).toMatchObject([{ id: kept }])
    expect(shown).not.toBe(kept)
    expect(await acknowledgeChanges(core, FENCE, [])).toBe(0)
  })

  test('is kept when a transaction is changing its object, and does not wait for it', async () => {
    await lead()
    const id = await aWebhook(core, organisation.orgId)
    const changes = await listChanges(core, 10)
    await database.owner.begin(async (sql) => {
      await sql`update webhooks set description = 'new' where id = ${id}`
      expect(await acknowledgeChanges(core, FENCE, changes)).toBe(0)
    })
    expect(await listChanges(core, 10)).toMatchObject([{ id }])
  })
})

describe('leading', () => {
  test('is taken over by a higher number only', async () => {
    await lead(5, 'one')
    await lead(5, 'one')
    for (const late of [lead(4, 'one'), lead(5, 'two')])
      await expect(late).rejects.toMatchObject({ name: 'FencedError', current: 5 })
    await lead(6, 'two')
    await expect(inFencedTransaction(core, FENCE, async () => 'written')).rejects.toThrow(FencedError)
    expect(await inFencedTransaction(core, { transitions: 6 }, async () => 'written')).toBe('written')
  })

  test('is required of the first controller too', async () => {
    await expect(acknowledgeChanges(core, FENCE, [{ kind: 'WEBHOOK', id: organisation.orgId, seq: 1 }])).rejects.toThrow(
      FencedError,
    )
  })

  test('is taken over after the transactions of the one before', async () => {
    await lead()
    const steps: string[] = []
    let isTakenOver: Promise<unknown> = Promise.resolve()
    await inFencedTransaction(core, FENCE, async () => {
      isTakenOver = lead(6, 'two').then(() => steps.push('taken over'))
      await vi.waitFor(async () => {
        const waiting =
          await database.owner`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        expect(waiting).toHaveLength(1)
      })
      steps.push('written')
    })
    await isTakenOver
    expect(steps).toEqual(['written', 'taken over'])
  })
})

test('the API reads no change and no leader', async () => {
  for (const table of ['mirror_changes', 'mirror_leader'])
    await expect(database.api`select from ${database.api(table)}`).rejects.toThrow('permission denied')
})
