import type { EnvelopeId } from '#core/ids.ts'
import { delayMail, dropMails, releaseMailLease, leaseDueMail, markMailSent, renewMailLease } from '#core/mail/store.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { delaySeal, releaseSealLease, leaseDueSeal, markSealDone, renewSealLease, resetSeal } from '#core/seal/store.ts'
import { insertSealJob } from '#core/work/request-seal.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aDraftRow, aMailRow, anOrganisation, type Organisation } from '../support/builders/rows.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const LEASE_SECONDS = 120

let database: TestDatabase
let organisation: Organisation
let envelopeId: EnvelopeId

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.owner`delete from mails`
  await database.owner`delete from seal_intents`
  organisation = await anOrganisation(database.system)
  envelopeId = await aDraftRow(database.system, organisation)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

interface Leased {
  id: string
  attempts: number
}

/** What mails and seals have in common: work in a row that is due, taken under a lease. */
interface Queue {
  table: 'mails' | 'seal_intents'
  /** Adds one piece of work that is due now; answers its id. */
  add: () => Promise<string>
  lease: (sql?: Sql) => Promise<Leased | undefined>
  delay: (leased: Leased, failure: { error: string; delaySeconds: number; park: boolean }) => Promise<boolean>
  renew: (leased: Leased) => Promise<void>
  releaseLease: (leased: Leased) => Promise<void>
  done: (id: string) => Promise<unknown>
}

const QUEUES: Record<string, Queue> = {
  mail: {
    table: 'mails',
    add: () => aMailRow(database.system, organisation, envelopeId),
    lease: (sql = database.system) => leaseDueMail(sql, LEASE_SECONDS),
    delay: (leased, failure) =>
      delayMail(database.system, { orgId: organisation.orgId, ...leased }, { counts: true, ...failure }),
    renew: (leased) => renewMailLease(database.system, { orgId: organisation.orgId, ...leased }, LEASE_SECONDS),
    releaseLease: (leased) => releaseMailLease(database.system, { orgId: organisation.orgId, ...leased }),
    done: (id) => markMailSent(database.system, organisation.orgId, id),
  },
  seal: {
    table: 'seal_intents',
    add: async () => {
      const id = await aDraftRow(database.system, organisation)
      await insertSealJob(database.system, organisation.orgId, id)
      return id
    },
    lease: async (sql = database.system) => {
      const lease = await leaseDueSeal(sql, LEASE_SECONDS)
      return lease && { id: lease.envelopeId, attempts: lease.attempts }
    },
    delay: ({ id, attempts }, failure) =>
      delaySeal(
        database.system,
        { orgId: organisation.orgId, envelopeId: id as EnvelopeId, attempts },
        { ...failure, counts: true },
      ),
    renew: ({ id, attempts }) =>
      renewSealLease(database.system, { orgId: organisation.orgId, envelopeId: id as EnvelopeId, attempts }, LEASE_SECONDS),
    releaseLease: ({ id, attempts }) =>
      releaseSealLease(database.system, { orgId: organisation.orgId, envelopeId: id as EnvelopeId, attempts }),
    done: (id) => markSealDone(database.system, organisation.orgId, id as EnvelopeId),
  },
}

describe.each(Object.entries(QUEUES))('a %s that is due', (_, { table, add, lease, delay, renew, releaseLease, done }) => {
  /** Adds pieces of work, each due a second after the one before, the last one now. */
  async function addInOrder(count: number): Promise<string[]> {
    const ids: string[] = []
    for (let at = count - 1; at >= 0; at--) {
      await database.moveClock(-at)
      ids.push(await add())
    }
    return ids
  }

  test('is taken by one of twenty who ask at once', async () => {
    const ids = [await add(), await add(), await add(), await add(), await add()]
    const leases = await Promise.all(Array.from({ length: 20 }, () => lease()))
    const taken = leases.filter((row) => row !== undefined)
    expect(taken.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(taken.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1])
  })

  test('is taken in the order in which it became due', async () => {
    const ids = await addInOrder(4)
    for (const id of ids) expect((await lease())?.id).toBe(id)
    expect(await lease()).toBe(undefined)
  })

  test('is nobody else’s while its lease lasts, and anybody’s when it has lapsed, with its attempts counted', async () => {
    const id = await add()
    expect(await lease()).toMatchObject({ id, attempts: 1 })
    await database.moveClock(LEASE_SECONDS - 5)
    expect(await lease()).toBe(undefined)
    await database.moveClock(LEASE_SECONDS + 1)
    expect(await lease()).toMatchObject({ id, attempts: 2 })
    expect(await lease()).toBe(undefined)
  })

  test('is passed over, not waited for, while another transaction holds it', async () => {
    const [first, second] = await addInOrder(2)
    const held = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const other = database.system.begin(async (sql) => {
      expect(await lease(sql)).toMatchObject({ id: first })
      held.resolve()
      await ended.promise
      throw new Error('rolled back')
    })
    await held.promise
    expect(await lease()).toMatchObject({ id: second })
    expect(await lease()).toBe(undefined)
    ended.resolve()
    await expect(other).rejects.toThrow('rolled back')
    expect(await lease()).toMatchObject({ id: first, attempts: 1 })
  })

  test('that failed is due again after its delay, with the reason kept', async () => {
    const id = await add()
    await lease()
    await delay({ id, attempts: 1 }, { error: 'server away', delaySeconds: 30, park: false })
    const [row] = await database.owner`select last_error, leased_until, state from ${database.owner(table)}`
    expect(row).toMatchObject({ lastError: 'server away', leasedUntil: null, state: 'WAITING' })
    await database.moveClock(25)
    expect(await lease()).toBe(undefined)
    await database.moveClock(31)
    expect(await lease()).toMatchObject({ id, attempts: 2 })
  })

  test('that was set aside or is done is never taken again', async () => {
    const [parked, finished] = await addInOrder(2)
    await lease()
    await lease()
    await delay({ id: parked!, attempts: 1 }, { error: 'gave up', delaySeconds: 0, park: true })
    await done(finished!)
    await database.moveClock(1_000_000)
    expect(await lease()).toBe(undefined)
    const rows = await database.owner<{ state: string }[]>`select state from ${database.owner(table)} order by created_at`
    expect(rows.map(({ state }) => state)).toEqual(['PARKED', table === 'mails' ? 'SENT' : 'DONE'])
  })

  test('stays with who took it over when the slower run before reports its failure', async () => {
    const id = await add()
    await lease()
    await database.moveClock(LEASE_SECONDS + 1)
    expect(await lease()).toMatchObject({ id, attempts: 2 })
    await delay({ id, attempts: 1 }, { error: 'too late', delaySeconds: 0, park: true })
    const [row] =
      await database.owner`select state, attempts, last_error, leased_until is not null as held from ${database.owner(table)}`
    expect(row).toMatchObject({ state: 'WAITING', attempts: 2, lastError: null, held: true })
  })

  test('is anybody’s once it was handed back, under another number; the run before can neither keep it nor put it off', async () => {
    const id = await add()
    const first = { id, attempts: 1 }
    expect(await lease()).toMatchObject(first)
    await releaseLease(first)
    await renew(first)
    await delay(first, { error: 'too late', delaySeconds: 30, park: true })
    expect(await lease()).toMatchObject({ id, attempts: 2 })
    await releaseLease(first)
    expect(await lease()).toBe(undefined)
    const [row] = await database.owner`select state, last_error, failures from ${database.owner(table)}`
    expect(row).toEqual({ state: 'WAITING', lastError: null, failures: 0 })
  })

  test('stays done when a slower run reports its failure afterwards', async () => {
    const id = await add()
    await lease()
    await done(id)
    expect(await delay({ id, attempts: 1 }, { error: 'too late', delaySeconds: 0, park: false })).toBe(false)
    const [row] = await database.owner`select state, last_error from ${database.owner(table)}`
    expect(row).toMatchObject({ state: table === 'mails' ? 'SENT' : 'DONE', lastError: null })
    expect(await lease()).toBe(undefined)
  })
})

describe('a mail', () => {
  test('that is held for a later turn is not due', async () => {
    await aMailRow(database.system, organisation, envelopeId, { state: 'HELD' })
    await database.moveClock(1_000_000)
    expect(await leaseDueMail(database.system, LEASE_SECONDS)).toBe(undefined)
  })

  test('comes with all that its text needs', async () => {
    await aMailRow(database.system, organisation, envelopeId, { secretBox: Buffer.from('sealed') })
    expect(await leaseDueMail(database.system, LEASE_SECONDS)).toMatchObject({
      orgId: organisation.orgId,
      envelopeId,
      template: 'SIGNING_LINK',
      secretBox: Buffer.from('sealed'),
      recipient: 'ada@example.test',
      recipientName: 'Ada',
      organisationName: 'Test organisation',
      title: 'Lease',
      linkExpiresAt: null,
    })
  })

  test('that went out after its envelope had ended stays dropped; its secret is gone either way', async () => {
    const id = await aMailRow(database.system, organisation, envelopeId)
    await leaseDueMail(database.system, LEASE_SECONDS)
    await dropMails(database.system, organisation.orgId, envelopeId)
    expect(await markMailSent(database.system, organisation.orgId, id)).toBe(false)
    const sent = await aMailRow(database.system, organisation, envelopeId)
    expect(await markMailSent(database.system, organisation.orgId, sent)).toBe(true)
    const rows = await database.owner`select state, secret_box from mails order by created_at`
    expect(rows).toMatchObject([
      { state: 'DROPPED', secretBox: null },
      { state: 'SENT', secretBox: null },
    ])
  })
})

describe('a seal', () => {
  test('is done once, so that what follows it happens once', async () => {
    await insertSealJob(database.system, organisation.orgId, envelopeId)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => markSealDone(database.system, organisation.orgId, envelopeId)),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await resetSeal(database.system, organisation.orgId, envelopeId)).toBe(undefined)
  })

  test('that failed for no fault of its own has its attempt back', async () => {
    await insertSealJob(database.system, organisation.orgId, envelopeId)
    for (let times = 0; times < 5; times++) {
      const lease = await leaseDueSeal(database.system, LEASE_SECONDS)
      expect(lease).toMatchObject({ envelopeId, attempts: 1 })
      const failure = { error: 'the store is away', delaySeconds: 0, park: false, counts: false }
      await delaySeal(database.system, lease!, failure)
    }
  })

  test('that is archived under its worker’s hands stays leased when it is handed back', async () => {
    await insertSealJob(database.system, organisation.orgId, envelopeId)
    const lease = await leaseDueSeal(database.system, LEASE_SECONDS)
    await database.owner`update seal_intents set state = 'DROPPED'`
    await releaseSealLease(database.system, lease!)
    expect(await database.owner`select leased_until is not null as held from seal_intents`).toEqual([{ held: true }])
  })

  test('that was handed back and is retried has no losses to spare', async () => {
    await insertSealJob(database.system, organisation.orgId, envelopeId)
    await releaseSealLease(database.system, (await leaseDueSeal(database.system, LEASE_SECONDS))!)
    expect(await leaseDueSeal(database.system, LEASE_SECONDS)).toMatchObject({ attempts: 2, released: 1 })
    expect(await resetSeal(database.system, organisation.orgId, envelopeId)).toBeDefined()
    expect(await leaseDueSeal(database.system, LEASE_SECONDS)).toMatchObject({ attempts: 1, released: 0 })
  })

  test('that was set aside begins anew when somebody retries it', async () => {
    await insertSealJob(database.system, organisation.orgId, envelopeId)
    const lease = await leaseDueSeal(database.system, LEASE_SECONDS)
    await delaySeal(database.system, lease!, {
      error: 'x',
      delaySeconds: 3_600,
      park: true,
      counts: true,
    })
    expect(await resetSeal(database.system, organisation.orgId, envelopeId)).toEqual({ traceParent: null })
    expect(await leaseDueSeal(database.system, LEASE_SECONDS)).toMatchObject({ envelopeId, attempts: 1 })
  })
})
