import type { EnvelopeId } from '#core/ids.ts'
import { MAIL_WORK, type MailJob } from '#core/mail/mail-job.ts'
import { dropMails } from '#core/mail/store.ts'
import { insertSealJob, SEAL_WORK } from '#core/envelope/seal-job.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { WorkKind } from '#core/work/job.ts'
import {
  type FailedAttempt,
  leaseDueJob,
  markJobDone,
  recordFailure,
  releaseLease,
  renewLease,
  resetJobs,
} from '#core/work/job-store.ts'
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
  await database.owner`delete from seal_jobs`
  organisation = await anOrganisation(database.system)
  envelopeId = await aDraftRow(database.system, organisation)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

interface Leased {
  id: string
  attempts: number
}

/** Adds a job of each kind, due now; returns its id. */
const KINDS: Record<string, { kind: WorkKind; add: () => Promise<string> }> = {
  mail: { kind: MAIL_WORK, add: () => aMailRow(database.system, organisation, envelopeId) },
  seal: {
    kind: SEAL_WORK,
    add: async () => {
      const id = await aDraftRow(database.system, organisation)
      await insertSealJob(database.system, organisation.orgId, id)
      return id
    },
  },
}

const FAILED: FailedAttempt = { error: 'server away', isTransient: false, isDead: false, delaySeconds: 0 }
const refOf = (id: string) => ({ orgId: organisation.orgId, id })

describe.each(Object.entries(KINDS))('a %s that is due', (_, { kind, add }) => {
  const { table } = kind
  const lease = (sql: Sql = database.system) => leaseDueJob(sql, kind, LEASE_SECONDS)
  const ofLease = ({ id, attempts }: Leased) => ({ ...refOf(id), attempts })
  const fail = (leased: Leased, failed: Partial<FailedAttempt>) =>
    recordFailure(database.system, kind, ofLease(leased), { ...FAILED, ...failed })
  const renew = (leased: Leased) => renewLease(database.system, kind, ofLease(leased), LEASE_SECONDS)
  const giveBack = (leased: Leased) => releaseLease(database.system, kind, ofLease(leased))
  const done = (id: string) => markJobDone(database.system, kind, refOf(id))

  /** Adds jobs, each due a second after the previous one, the last one now. */
  async function addInOrder(count: number): Promise<string[]> {
    const ids: string[] = []
    for (let at = count - 1; at >= 0; at--) {
      await database.moveClock(-at)
      ids.push(await add())
    }
    return ids
  }

  test('is leased by one of twenty concurrent workers', async () => {
    const ids = [await add(), await add(), await add(), await add(), await add()]
    const leases = await Promise.all(Array.from({ length: 20 }, () => lease()))
    const taken = leases.filter((row) => row !== undefined)
    expect(taken.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(taken.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1])
  })

  test('is leased in the order of due times', async () => {
    const ids = await addInOrder(4)
    for (const id of ids) expect((await lease())?.id).toBe(id)
    expect(await lease()).toBe(undefined)
  })

  test('is exclusive while its lease lasts, and free when it has ended, with its attempts counted', async () => {
    const id = await add()
    expect(await lease()).toMatchObject({ id, attempts: 1 })
    await database.moveClock(LEASE_SECONDS - 5)
    expect(await lease()).toBe(undefined)
    await database.moveClock(LEASE_SECONDS + 1)
    expect(await lease()).toMatchObject({ id, attempts: 2 })
    expect(await lease()).toBe(undefined)
  })

  test('is skipped while another transaction has locked it', async () => {
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

  test('that failed is due again after its delay, with its error recorded', async () => {
    const id = await add()
    await lease()
    await fail({ id, attempts: 1 }, { error: 'server away', delaySeconds: 30, isDead: false })
    const [row] = await database.owner`select last_error, leased_until, state from ${database.owner(table)}`
    expect(row).toMatchObject({ lastError: 'server away', leasedUntil: null, state: 'WAITING' })
    await database.moveClock(25)
    expect(await lease()).toBe(undefined)
    await database.moveClock(31)
    expect(await lease()).toMatchObject({ id, attempts: 2 })
  })

  test('that is dead-lettered or done is never leased again', async () => {
    const [parked, finished] = await addInOrder(2)
    await lease()
    await lease()
    await fail({ id: parked!, attempts: 1 }, { error: 'gave up', delaySeconds: 0, isDead: true })
    await done(finished!)
    await database.moveClock(1_000_000)
    expect(await lease()).toBe(undefined)
    const rows = await database.owner<{ state: string }[]>`select state from ${database.owner(table)} order by wanted_at`
    expect(rows.map(({ state }) => state)).toEqual(['DEAD', 'DONE'])
  })

  test('stays with the new worker when the slower earlier run reports its failure', async () => {
    const id = await add()
    await lease()
    await database.moveClock(LEASE_SECONDS + 1)
    expect(await lease()).toMatchObject({ id, attempts: 2 })
    await fail({ id, attempts: 1 }, { error: 'too late', delaySeconds: 0, isDead: true })
    const [row] =
      await database.owner`select state, attempts, last_error, leased_until is not null as held from ${database.owner(table)}`
    expect(row).toMatchObject({ state: 'WAITING', attempts: 2, lastError: null, held: true })
  })

  test('is free once its lease was released, under another number; the earlier run can neither keep nor delay it', async () => {
    const id = await add()
    const first = { id, attempts: 1 }
    expect(await lease()).toMatchObject(first)
    await giveBack(first)
    await renew(first)
    await fail(first, { error: 'too late', delaySeconds: 30, isDead: true })
    expect(await lease()).toMatchObject({ id, attempts: 2 })
    await giveBack(first)
    expect(await lease()).toBe(undefined)
    const [row] = await database.owner`select state, last_error, failures from ${database.owner(table)}`
    expect(row).toEqual({ state: 'WAITING', lastError: null, failures: 0 })
  })

  test('stays done when a slower run reports its failure afterwards', async () => {
    const id = await add()
    await lease()
    await done(id)
    expect(await fail({ id, attempts: 1 }, { error: 'too late', delaySeconds: 0, isDead: false })).toBe(false)
    const [row] = await database.owner`select state, last_error from ${database.owner(table)}`
    expect(row).toMatchObject({ state: 'DONE', lastError: null })
    expect(await lease()).toBe(undefined)
  })
})

describe('a mail', () => {
  test('that is held for a later turn is not due', async () => {
    await aMailRow(database.system, organisation, envelopeId, { state: 'HELD' })
    await database.moveClock(1_000_000)
    expect(await leaseDueJob<MailJob>(database.system, MAIL_WORK, LEASE_SECONDS)).toBe(undefined)
  })

  test('has everything that its text needs', async () => {
    await aMailRow(database.system, organisation, envelopeId, { secretBox: Buffer.from('sealed') })
    expect(await leaseDueJob<MailJob>(database.system, MAIL_WORK, LEASE_SECONDS)).toMatchObject({
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

  test('that was sent after the end of its envelope stays dropped; its secret is deleted either way', async () => {
    const id = await aMailRow(database.system, organisation, envelopeId)
    await leaseDueJob<MailJob>(database.system, MAIL_WORK, LEASE_SECONDS)
    await dropMails(database.system, organisation.orgId, envelopeId)
    expect(await markJobDone(database.system, MAIL_WORK, refOf(id))).toBe(false)
    const sent = await aMailRow(database.system, organisation, envelopeId)
    expect(await markJobDone(database.system, MAIL_WORK, refOf(sent))).toBe(true)
    const rows = await database.owner`select state, secret_box from mails order by created_at`
    expect(rows).toMatchObject([
      { state: 'DROPPED', secretBox: null },
      { state: 'DONE', secretBox: null },
    ])
  })
})

describe('a job of any kind', () => {
  test('is done once, so that its consequences happen once', async () => {
    await insertSealJob(database.system, organisation.orgId, envelopeId)
    const answers = await Promise.all(Array.from({ length: 5 }, () => markJobDone(database.system, SEAL_WORK, refOf(envelopeId))))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await resetJobs(database.system, SEAL_WORK, { id: envelopeId })).toEqual([])
  })

  test('that met a transient error has no failure on record', async () => {
    await insertSealJob(database.system, organisation.orgId, envelopeId)
    for (let outages = 0; outages < 5; outages++) {
      const lease = await leaseDueJob(database.system, SEAL_WORK, LEASE_SECONDS)
      expect(lease).toMatchObject({ id: envelopeId, attempts: outages + 1, failures: 0, outages })
      await recordFailure(database.system, SEAL_WORK, lease!, { ...FAILED, isTransient: true })
    }
  })

  test('that was dropped while it runs stays leased when its worker releases it', async () => {
    await insertSealJob(database.system, organisation.orgId, envelopeId)
    const lease = await leaseDueJob(database.system, SEAL_WORK, LEASE_SECONDS)
    await database.owner`update seal_jobs set state = 'DROPPED'`
    await releaseLease(database.system, SEAL_WORK, lease!)
    expect(await database.owner`select leased_until is not null as held from seal_jobs`).toEqual([{ held: true }])
  })

  test('that is retried starts with every count at zero', async () => {
    await insertSealJob(database.system, organisation.orgId, envelopeId)
    await releaseLease(database.system, SEAL_WORK, (await leaseDueJob(database.system, SEAL_WORK, LEASE_SECONDS))!)
    const second = await leaseDueJob(database.system, SEAL_WORK, LEASE_SECONDS)
    expect(second).toMatchObject({ attempts: 2, released: 1 })
    await recordFailure(database.system, SEAL_WORK, second!, { ...FAILED, isDead: true, delaySeconds: 3_600 })
    expect(await resetJobs(database.system, SEAL_WORK, 'all')).toEqual([{ ...refOf(envelopeId), traceParent: null }])
    expect(await leaseDueJob(database.system, SEAL_WORK, LEASE_SECONDS)).toMatchObject({ attempts: 1, failures: 0, released: 0 })
  })

  test('that a worker holds is not reset by a retry', async () => {
    await insertSealJob(database.system, organisation.orgId, envelopeId)
    await leaseDueJob(database.system, SEAL_WORK, LEASE_SECONDS)
    expect(await resetJobs(database.system, SEAL_WORK, { id: envelopeId })).toEqual([])
  })
})
