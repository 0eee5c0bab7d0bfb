// A transaction ends for everything its work has started: later statements do not reach the database, and the pool gets its connection back.
import { newId, OrgId } from '#core/ids.ts'
import {
  queryInOrganisation,
  changeInOrganisation,
  type Database,
  inOrganisation,
  inTransaction,
  openDatabase,
  type Sql,
} from '#core/platform/postgres/client.ts'
import { beforeCommit } from '#core/platform/postgres/before-commit.ts'
import { inNestedTransaction } from '#core/platform/postgres/nested-transaction.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordTrips } from '../support/judges/round-trips.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
const orgId = newId(OrgId)

beforeAll(async () => {
  database = await testDatabase()
  await database.owner`create table marks (name text)`
  await database.owner`grant all on marks to sealwright_system`
})
beforeEach(() => database.owner`delete from marks`)
afterAll(() => database[Symbol.asyncDispose]())

const openPool = (): Database => openDatabase({ url: database.url, pool: 1, role: 'sealwright_system' })
const mark = (sql: Sql, name: string) => sql`insert into marks values (${name})`
const marks = async () => (await database.owner<{ name: string }[]>`select name from marks order by name`).map(({ name }) => name)

test('pipelined statements run in the order of the calls', async () => {
  const seen = await inTransaction(database.system, async (sql) => {
    const [, [first], , [second]] = await Promise.all([
      mark(sql, 'a'),
      sql<{ n: number }[]>`select count(*)::int as n from marks`,
      mark(sql, 'b'),
      sql<{ n: number }[]>`select count(*)::int as n from marks`,
    ])
    return [first?.n, second?.n]
  })
  expect(seen).toEqual([1, 2])
})

test('statements that failed work left running are rejected: none is committed on its own', async () => {
  const pool = openPool()
  const [started, left] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()]
  const slow = async (sql: Sql) => {
    await mark(sql, 'slow 1')
    started.resolve()
    for (;;) await mark(sql, 'slow 2')
  }
  const transaction = inTransaction(pool, async (sql) => {
    void slow(sql).catch(left.resolve)
    await started.promise
    throw new Error('refused')
  })
  await expect(transaction).rejects.toThrow('refused')
  expect(await left.promise).toMatchObject({ message: 'This transaction has ended.' })
  await inTransaction(pool, (sql) => mark(sql, 'of another'))
  expect(await marks()).toEqual(['of another'])
  await pool.end({ timeout: 5 })
})

test('a failed statement fails the transaction, even when the work continued', async () => {
  const transaction = inTransaction(database.system, async (sql) => {
    await mark(sql, 'first')
    await sql`select 1 / (select 0)`.catch(() => {})
  })
  await expect(transaction).rejects.toThrow(/nothing was committed/)
  expect(await marks()).toEqual([])
})

test('a closing pool lets a transaction finish, does not wait longer, and begins no other', async () => {
  const pool = openPool()
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = inTransaction(pool, async (sql) => {
    await mark(sql, 'first')
    reached.resolve()
    await goOn.promise
    await mark(sql, 'second')
  })
  await reached.promise
  const [startedAt, ended] = [performance.now(), pool.end({ timeout: 30 })]
  goOn.resolve()
  await Promise.all([transaction, ended])
  expect(performance.now() - startedAt).toBeLessThan(15_000)
  expect(await marks()).toEqual(['first', 'second'])
  await expect(inTransaction(pool, (sql) => mark(sql, 'third'))).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
  await expect(queryInOrganisation(pool, orgId, (sql) => sql`select 1`)).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})

test('statements that a failed nested transaction left running do not reach the outer one', async () => {
  const left = Promise.withResolvers<unknown>()
  await inNestedTransaction(database.system, orgId, async (sql, joined) => {
    const started = Promise.withResolvers<void>()
    const slow = async (inner: Sql) => {
      await mark(inner, 'slow 1')
      started.resolve()
      for (;;) await mark(inner, 'slow 2')
    }
    const failing = inOrganisation(joined, orgId, async (inner) => {
      void slow(inner).catch(left.resolve)
      await started.promise
      throw new Error('refused')
    })
    await expect(failing).rejects.toThrow('refused')
    expect(await left.promise).toMatchObject({ message: 'This transaction has ended.' })
    await mark(sql, 'outer')
  })
  expect(await marks()).toEqual(['outer'])
})

test('a write of one statement is committed, or fails and returns its connection', async () => {
  const pool = openPool()
  const fail = () => changeInOrganisation(pool, orgId, (sql) => sql<object[]>`select 1 / (select 0)`)
  for (let round = 0; round < 5; round++) await expect(fail()).rejects.toThrow(/division by zero/)
  const changed = await changeInOrganisation(
    pool,
    orgId,
    (sql) => sql<object[]>`
    insert into marks select sealwright_org()::text returning name`,
  )
  expect(changed).toEqual([{ name: orgId }])
  expect(await marks()).toEqual([orgId])
  await pool.end({ timeout: 5 })
})

test('a nested transaction that fails is rolled back alone, with one nested in it', async () => {
  await inNestedTransaction(database.system, orgId, async (sql, joined) => {
    await mark(sql, 'outer')
    await inOrganisation(joined, orgId, (inner) => mark(inner, 'kept'))
    const failing = inOrganisation(joined, orgId, async (inner) => {
      await mark(inner, 'undone')
      await inner`select 1 / (select 0)`
    })
    await expect(failing).rejects.toThrow(/division by zero/)
    await mark(sql, 'after')
    expect(await queryInOrganisation(joined, orgId, (inner) => inner<{ name: string }[]>`select name from marks`)).toHaveLength(3)
  })
  expect(await marks()).toEqual(['after', 'kept', 'outer'])
})

test('a statement before the commit runs after all others, however early it was added, and is committed with them', async () => {
  const seen = await inTransaction(database.system, async (sql) => {
    beforeCommit(sql, (tx) => tx`insert into marks select 'after ' || count(*) from marks`)
    await mark(sql, 'first')
    await mark(sql, 'second')
    return (await sql`select name from marks`).length
  })
  expect(seen).toBe(2)
  expect(await marks()).toEqual(['after 2', 'first', 'second'])
})

test('a failed statement before the commit prevents the commit, and its error is thrown', async () => {
  const transaction = inTransaction(database.system, async (sql) => {
    beforeCommit(sql, (tx) => mark(tx, 'before it'))
    beforeCommit(
      sql,
      (tx) => tx`select 1 / (select 0)`,
      (error) => new Error('full', { cause: error }),
    )
    beforeCommit(sql, (tx) => mark(tx, 'after it'))
    await mark(sql, 'first')
  })
  await expect(transaction).rejects.toThrow('full')
  expect(await marks()).toEqual([])
})

test('no statement before the commit is sent for failed work', async () => {
  const transaction = inTransaction(database.system, async (sql) => {
    beforeCommit(sql, (tx) => mark(tx, 'closing'))
    await mark(sql, 'first')
    throw new Error('refused')
  })
  await expect(transaction).rejects.toThrow('refused')
  expect(await marks()).toEqual([])
})

test('within a savepoint a statement before the commit is rolled back or kept with the savepoint', async () => {
  await inNestedTransaction(database.system, orgId, async (sql, joined) => {
    await mark(sql, 'outer')
    await inTransaction(joined, async (tx) => beforeCommit(tx, (closing) => mark(closing, 'kept')))
    const undone = inTransaction(joined, async (tx) => {
      await mark(tx, 'undone')
      beforeCommit(tx, (closing) => closing`select 1 / (select 0)`)
    })
    await expect(undone).rejects.toThrow('division by zero')
  })
  expect(await marks()).toEqual(['kept', 'outer'])
})

test('a statement before the commit is rejected outside a transaction', async () => {
  let ended: Sql | undefined
  await inTransaction(database.system, async (sql) => {
    ended = sql
  })
  expect(() => beforeCommit(database.system, (tx) => mark(tx, 'pool'))).toThrow('Only a transaction that is open')
  expect(() => beforeCommit(ended!, (tx) => mark(tx, 'ended'))).toThrow('Only a transaction that is open')
})

test('locks of a statement before the commit are released by the commit, without a round trip to this process', async () => {
  await database.owner`insert into marks values ('hot')`
  const recorder = recordTrips()
  const pool = openPool()
  const change = () =>
    inTransaction(pool, async (sql) => {
      await sql`select 1`
      beforeCommit(sql, (tx) => tx`update marks set name = name || '!' where name like 'hot%'`)
    })
  await change()
  pool.options.debug = recorder.note
  await change()
  expect(recorder.take()).toEqual([
    ['begin', 'select'],
    ['update marks', 'commit'],
  ])
  expect(await marks()).toEqual(['hot!!'])
  await pool.end({ timeout: 5 })
})
