import type { Bell } from '#core/bell/bell.ts'
import { insertOutbox } from '#core/outbox/store.ts'
import { listenToOutbox, relayOutbox } from '#core/outbox/relay-outbox.ts'
import { inTransaction } from '#core/postgres/client.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anOrganisation, type Organisation } from '../support/rows.ts'
import { testDatabase, type TestDatabase } from '../support/test-database.ts'

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

/** Commits so many rows, numbered from 1. */
async function commit(count: number): Promise<void> {
  await inTransaction(database.system, async (sql) => {
    for (let number = 1; number <= count; number++)
      await insertOutbox(sql, organisation.orgId, 'sealwright.envelope.sent', { number })
  })
}

interface Ring {
  id: string
  number: unknown
}

/** A bell that remembers its rings; `before` may refuse one, or keep it waiting. */
function recordingBell(before: (ring: Ring) => Promise<void> | void = () => {}): Bell & { rings: Ring[] } {
  const rings: Ring[] = []
  return {
    rings,
    async publish(_subject, id, { number }) {
      await before({ id, number })
      rings.push({ id, number })
    },
    consume: () => ({ [Symbol.dispose]: () => {} }),
  }
}

const relay = (bell: Bell) => relayOutbox({ database: database.system }, bell)
const numbersOf = ({ rings }: { rings: Ring[] }) => rings.map(({ number }) => Number(number))
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
const ascending = (numbers: number[]) => numbers.toSorted((left, right) => left - right)

describe('the relay', () => {
  test('rings for every committed row, in their order, once', async () => {
    await commit(450)
    const bell = recordingBell()
    expect([await relay(bell), await relay(bell), await relay(bell), await relay(bell)]).toEqual([200, 200, 50, 0])
    expect(numbersOf(bell)).toEqual(range(1, 450))
  })

  test('rings under the id of the row and with its body as it was written', async () => {
    const body = { orgId: organisation.orgId, snake_key: 'x', nested: { camelKey: [1, null, 'ä'] } }
    await insertOutbox(database.system, organisation.orgId, 'sealwright.mail.requested', body)
    const rung: unknown[] = []
    await relay({ ...recordingBell(), publish: async (...message) => void rung.push(message) })
    const [row] = await database.owner<{ id: string }[]>`select id::text from outbox`
    expect(rung).toEqual([['sealwright.mail.requested', row!.id, body]])
  })

  test('shares the rows with others side by side: each row rings once, each relay in order', async () => {
    await commit(700)
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const slow = recordingBell(() => {
      locked.resolve()
      return released.promise
    })
    const others = [recordingBell(), recordingBell()]
    const drain = async (bell: Bell) => {
      while ((await relay(bell)) > 0);
    }
    const first = drain(slow)
    await locked.promise
    await Promise.all(others.map(drain))
    released.resolve()
    await first
    expect(numbersOf(slow)).toEqual(range(1, 200))
    for (const bell of others) expect(numbersOf(bell)).toEqual(ascending(numbersOf(bell)))
    expect(ascending(others.flatMap(numbersOf))).toEqual(range(201, 700))
  })

  test('that breaks off between ringing and marking rings again, under the same ids: none is lost', async () => {
    await commit(5)
    const broken = recordingBell(({ number }) => {
      if (number === 4) throw new Error('the bell is broken')
    })
    await expect(relay(broken)).rejects.toThrow('broken')
    expect(numbersOf(broken)).toEqual([1, 2, 3])
    const whole = recordingBell()
    expect(await relay(whole)).toBe(5)
    expect(whole.rings.slice(0, 3)).toEqual(broken.rings)
    expect(numbersOf(whole)).toEqual(range(1, 5))
  })

  test('does not ring before the commit, and never after a rollback', async () => {
    const bell = recordingBell()
    const rolledBack = database.system.begin(async (sql) => {
      await insertOutbox(sql, organisation.orgId, 'sealwright.envelope.sent', { number: 1 })
      expect(await relay(bell)).toBe(0)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await relay(bell)).toBe(0)
    expect(bell.rings).toEqual([])
  })

  test('does not wait for a row of a transaction that is not over: later ones go ahead of it', async () => {
    const bell = recordingBell()
    await database.system.begin(async (sql) => {
      await insertOutbox(sql, organisation.orgId, 'sealwright.envelope.sent', { number: 1 })
      await insertOutbox(database.system, organisation.orgId, 'sealwright.envelope.sent', { number: 2 })
      expect(await relay(bell)).toBe(1)
    })
    expect(await relay(bell)).toBe(1)
    expect(numbersOf(bell)).toEqual([2, 1])
  })
})

describe('whoever listens to the outbox', () => {
  test('is called when listening begins and after each commit, once, not after a rollback', async () => {
    let rings = 0
    await using listening = await listenToOutbox({ database: database.system }, () => rings++)
    await expect.poll(() => rings).toBe(1)
    await commit(10)
    await expect.poll(() => rings).toBe(2)
    await expect(
      inTransaction(database.system, async (sql) => {
        await insertOutbox(sql, organisation.orgId, 'sealwright.envelope.sent', {})
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await commit(1)
    // Notices of one session come in order: with this one here, one of the rollback would have come.
    await expect.poll(() => rings).toBe(3)
    expect(listening).toBeDefined()
  })
})
