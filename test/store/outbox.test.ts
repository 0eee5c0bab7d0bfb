import type { Notifier, NotifierMessage } from '#core/messaging/notifier.ts'
import { insertOutbox, lockPartitions, takeUnpublished } from '#core/messaging/outbox-store.ts'
import { listenToOutbox, relayOutbox } from '#core/messaging/relay-outbox.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anOrganisation, type Organisation } from '../support/builders/rows.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let organisation: Organisation

beforeAll(async () => {
  database = await testDatabase()
  organisation = await anOrganisation(database.system)
})
beforeEach(async () => {
  await database.owner`delete from outbox`
})
afterAll(() => database[Symbol.asyncDispose]())

/** Commits so many rows of one envelope, numbered from 1. */
async function commit(count: number, envelope = 'one'): Promise<void> {
  await inTransaction(database.system, async (sql) => {
    for (let number = 1; number <= count; number++) await commitOne(number, envelope, sql)
  })
}

const commitOne = (number: number, envelope = 'one', sql: Sql = database.system) =>
  insertOutbox(sql, organisation.orgId, messageOf(number, envelope))

const messageOf = (number: number, envelope = 'one') =>
  ({ orderKey: envelope, subject: 'sealwright.mail.requested', body: { envelope, number } }) as const

interface Published {
  id: string
  envelope: unknown
  number: number
}

/** A notifier that records its messages; `before` may reject or delay one. Notifiers with the same `published` share one order of time. */
function recordingNotifier(
  before: (message: Published) => Promise<void> | void = () => {},
  published: Published[] = [],
): Notifier & { published: Published[] } {
  return {
    published,
    async publish(messages) {
      for (const { id, body } of messages) {
        const message = { id, envelope: body['envelope'], number: Number(body['number']) }
        await before(message)
        published.push(message)
      }
    },
    next: async () => undefined,
  }
}

const relayAll = (notifier: Notifier) => relayOutbox({ database: database.system }, notifier)
const relay = async (notifier: Notifier) => (await relayAll(notifier)).rows
const numbersOf = ({ published }: { published: Published[] }) => published.map(({ number }) => number)
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
async function drain(notifier: Notifier): Promise<void> {
  while ((await relay(notifier)) > 0);
}

describe('the relay', () => {
  test('publishes every committed row, in order, once', async () => {
    await commit(150)
    const notifier = recordingNotifier()
    const relayed = [await relayAll(notifier), await relayAll(notifier), await relayAll(notifier), await relayAll(notifier)]
    // So few of one partition, because each message waits for the previous one there.
    expect(relayed.map(({ rows }) => rows)).toEqual([64, 64, 22, 0])
    expect(relayed.map(({ more }) => more)).toEqual([true, true, false, false])
    expect(numbersOf(notifier)).toEqual(range(1, 150))
  })

  test('publishes the rows of one statement in the order of writing', async () => {
    const messages = range(1, 300).map((number) => messageOf(number))
    await insertOutbox(database.system, organisation.orgId, ...messages)
    const notifier = recordingNotifier()
    await drain(notifier)
    expect(numbersOf(notifier)).toEqual(range(1, 300))
  })

  test('publishes with the id of the row and its body as it was written', async () => {
    const body = { orgId: organisation.orgId, snake_key: 'x', nested: { camelKey: [1, null, 'ä'] } }
    await insertOutbox(database.system, organisation.orgId, { orderKey: 'a', subject: 'sealwright.mail.requested', body })
    const message: NotifierMessage[] = []
    await relay({ ...recordingNotifier(), publish: async (messages) => void message.push(...messages) })
    const [row] = await database.owner<{ id: string }[]>`select id::text from outbox`
    expect(message).toEqual([expect.objectContaining({ subject: 'sealwright.mail.requested', id: row!.id, body })])
  })

  test('reports that there may be more when partitions that it did not take may have some', async () => {
    await Promise.all(range(1, 60).map((n) => commitOne(n, `envelope ${n}`)))
    const notifier = recordingNotifier()
    let rounds = 1
    while ((await relayAll(notifier)).more) rounds++
    expect(rounds).toBeGreaterThan(1)
    expect(notifier.published).toHaveLength(60)
  })

  test('shares the envelopes with concurrent relays: each row is published once, in the order of its envelope', async () => {
    const envelopes = range(1, 60).map((n) => `envelope ${n}`)
    await Promise.all(envelopes.map((envelope) => commit(30, envelope)))
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const all: Published[] = []
    const slow = recordingNotifier(() => {
      locked.resolve()
      return released.promise
    }, all)
    const first = drain(slow)
    await locked.promise
    await Promise.all([drain(recordingNotifier(undefined, all)), drain(recordingNotifier(undefined, all))])
    const whileSlowWasBusy = all.length
    expect(whileSlowWasBusy).toBeGreaterThan(0)
    released.resolve()
    await first
    expect(all.length).toBeGreaterThan(whileSlowWasBusy)
    for (const envelope of envelopes) {
      expect(all.filter((message) => message.envelope === envelope).map(({ number }) => number)).toEqual(range(1, 30))
    }
  })

  test('keeps the order of an envelope while another relay publishes it', async () => {
    await commit(3)
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const slow = recordingNotifier(() => {
      locked.resolve()
      return released.promise
    })
    const first = relay(slow)
    await locked.promise
    await commitOne(4)
    expect(await relay(recordingNotifier())).toBe(0)
    released.resolve()
    await first
    const next = recordingNotifier()
    await relay(next)
    expect(numbersOf(next)).toEqual([4])
  })

  test('that fails between publishing and committing publishes again, with the same ids: none is lost', async () => {
    await commit(5)
    const broken = recordingNotifier(({ number }) => {
      if (number === 4) throw new Error('the notifier is broken')
    })
    await expect(relay(broken)).rejects.toThrow('broken')
    expect(numbersOf(broken)).toEqual([1, 2, 3])
    const whole = recordingNotifier()
    expect(await relay(whole)).toBe(5)
    expect(whole.published.slice(0, 3)).toEqual(broken.published)
    expect(numbersOf(whole)).toEqual(range(1, 5))
  })

  test('does not publish before the commit, and never after a rollback', async () => {
    const notifier = recordingNotifier()
    const rolledBack = database.system.begin(async (sql) => {
      await commitOne(1, 'one', sql)
      expect(await relay(notifier)).toBe(0)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await relay(notifier)).toBe(0)
    expect(notifier.published).toEqual([])
  })

  test('does not wait for a row of an open transaction: later ones go ahead of it', async () => {
    const notifier = recordingNotifier()
    await database.system.begin(async (sql) => {
      await commitOne(1, 'one', sql)
      await commitOne(2)
      expect(await relay(notifier)).toBe(1)
    })
    expect(await relay(notifier)).toBe(1)
    expect(numbersOf(notifier)).toEqual([2, 1])
  })
})

test('finds unpublished rows without reading published ones, even with statistics of a long queue', async () => {
  const { owner, system } = database
  await owner`
    insert into outbox (org_id, partition, subject, body, published_at)
    select ${organisation.orgId}, n & 15, 'sealwright.mail.requested', '{}', case when n <= 50000 then now() end
    from generate_series(1, 55000) n`
  await owner`analyze outbox`
  await owner`delete from outbox where published_at is null`
  await commit(3)
  const fetched = await inTransaction(system, async (sql) => {
    // Counts of this session, which may include those of earlier transactions.
    const count = async () => {
      const [row] = await sql<{ rows: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'outbox'`
      return row!.rows
    }
    const before = await count()
    await lockPartitions(sql, 8)
    expect(await takeUnpublished(sql, { most: 500, ofPartition: 64 })).toHaveLength(3)
    return (await count()) - before
  })
  expect(fetched).toBeLessThan(100)
})

describe('a listener of the outbox', () => {
  test('is called when listening starts and after each commit, once, not after a rollback', async () => {
    let calls = 0
    await using listening = await listenToOutbox({ database: database.system }, () => calls++)
    await expect.poll(() => calls).toBe(1)
    await commit(10)
    await expect.poll(() => calls).toBe(2)
    await expect(
      inTransaction(database.system, async (sql) => {
        await commitOne(1, 'one', sql)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await commit(1)
    // Notifications of one session arrive in order: before this one, one of the rollback would have arrived.
    await expect.poll(() => calls).toBe(3)
    expect(listening).toBeDefined()
  })
})
