// A connection that is cut in the middle of a transaction rolls the transaction back: none of its statements takes effect, not even in another
// transaction, and the process and its pool continue.
import { setTimeout as delay } from 'node:timers/promises'
import { newId, OrgId } from '#core/ids.ts'
import { queryInOrganisation, type Database, inTransaction, openDatabase, type Sql } from '#core/platform/postgres/client.ts'
import { inNestedTransaction } from '#core/platform/postgres/nested-transaction.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { tcpFront } from '../support/faults/tcp-front.ts'
import { startTcpProxy, type TcpProxy } from '../support/faults/tcp-proxy.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const SEEN_WITHIN_MS = 300

let database: TestDatabase
let proxy: TcpProxy

beforeAll(async () => {
  database = await testDatabase()
  await database.owner`create table marks (name text)`
  await database.owner`grant all on marks to sealwright_system`
  proxy = await startTcpProxy(Number(new URL(database.url).port))
})
beforeEach(() => database.owner`delete from marks`)
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** A pool behind the proxy. */
function openPool(connections: number): Database & AsyncDisposable {
  const url = new URL(database.url)
  url.port = String(proxy.port)
  const pool = openDatabase({ url: url.href, pool: connections, role: 'sealwright_system' })
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end({ timeout: 1 }) })
}

const mark = (sql: Sql, name: string) => sql`insert into marks values (${name})`
const marks = async () => (await database.owner<{ name: string }[]>`select name from marks`).map(({ name }) => name)

/** Uses every connection of the pool at once, also one whose end was not detected yet. */
async function expectWholePool(pool: Database, connections: number): Promise<void> {
  const ask = () => Promise.all(Array.from({ length: connections }, () => pool`select pg_sleep(0.05)`))
  await expect.poll(() => ask().catch(() => []), { timeout: 5_000 }).toHaveLength(connections)
}

describe.each(['fin', 'reset'] as const)('a connection cut by %s', (how) => {
  /** Cuts it while a statement of the transaction runs. */
  async function expectNothingLeft(transaction: Promise<unknown>, pool: Database, size: number): Promise<void> {
    await delay(50)
    proxy.cut(how)
    await expect(transaction).rejects.toThrow()
    await expectWholePool(pool, size)
    expect(await marks()).toEqual([])
  }

  test('while a statement runs: the transaction fails, the pool continues', async () => {
    await using pool = openPool(2)
    const reached = Promise.withResolvers<void>()
    const transaction = inTransaction(pool, async (sql) => {
      await mark(sql, 'first')
      reached.resolve()
      await sql`select pg_sleep(2)`
    })
    await reached.promise
    await expectNothingLeft(transaction, pool, 2)
  })

  test('between two statements: later ones reach no other transaction', async () => {
    await using pool = openPool(1)
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const later: unknown[] = []
    const transaction = inTransaction(pool, async (sql) => {
      await mark(sql, 'first')
      reached.resolve()
      await goOn.promise
      await mark(sql, 'second').catch((error: unknown) => later.push(error))
    })
    await reached.promise
    proxy.cut(how)
    const [outcome] = await Promise.allSettled([transaction])
    expect(outcome.status).toBe('rejected')
    await inTransaction(pool, async (sql) => {
      await mark(sql, 'of another')
      goOn.resolve()
      await delay(SEEN_WITHIN_MS)
    })
    await expectWholePool(pool, 1)
    expect(await marks()).toEqual(['of another'])
  })

  test('while a single read waits for its first result: the read fails, and pipelined reads do not hang', async () => {
    await using pool = openPool(1)
    // The server keeps running a statement of a lost client: one may be left from before.
    const asleep = async () =>
      (await database.owner`select 1 from pg_stat_activity where query like 'select pg_sleep(5), $1%' and state = 'active'`)
        .length
    const others = await asleep()
    const read = queryInOrganisation(pool, newId(OrgId), (sql) => sql`select pg_sleep(5), ${how} as how`)
    await expect.poll(asleep).toBe(others + 1)
    proxy.cut(how)
    await expect(read).rejects.toThrow()
    await expectWholePool(pool, 1)
  })

  test('within a savepoint: the transaction around it fails as well', async () => {
    await using pool = openPool(1)
    const reached = Promise.withResolvers<void>()
    const transaction = inNestedTransaction(pool, newId(OrgId), async (sql, joined) => {
      await mark(sql, 'outer')
      await inTransaction(joined, async (inner) => {
        await mark(inner, 'inner')
        reached.resolve()
        await inner`select pg_sleep(2)`
      })
    })
    await reached.promise
    await expectNothingLeft(transaction, pool, 1)
  })
})

test('a whole pool that is reset at once is back within seconds', async () => {
  await using pool = openPool(10)
  await expectWholePool(pool, 10)
  const asleep = Promise.allSettled(Array.from({ length: 10 }, () => pool`select pg_sleep(2)`))
  await delay(100)
  proxy.cut('reset')
  expect((await asleep).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'))
  await expectWholePool(pool, 10)
})

test('the loss of another connection in the middle of a transaction rolls it back', async () => {
  await using pool = openPool(1)
  const fault = Object.assign(new Error('NATS hung up'), { code: 'CONNECTION_CLOSED' })
  const transaction = inTransaction(pool, async (sql) => {
    await mark(sql, 'first')
    throw fault
  })
  await expect(transaction).rejects.toBe(fault)
  await expectWholePool(pool, 1)
  expect(await marks()).toEqual([])
})

test('a server that ends its connections fails only their transactions', async () => {
  await using pool = openPool(10)
  const transactions = Array.from({ length: 10 }, (_, n) =>
    inTransaction(pool, async (sql) => {
      await mark(sql, `mark ${n}`)
      await sql`select pg_sleep(3)`
    }),
  )
  const outcomes = Promise.allSettled(transactions)
  // No other test sleeps as long: the server may still run a statement of another test.
  const asleep = () =>
    database.owner`select pid from pg_stat_activity where query like '%pg_sleep(3)%' and datname = current_database() and pid <> pg_backend_pid()`
  await expect.poll(async () => (await asleep()).length).toBe(10)
  for (const { pid } of await asleep()) await database.owner`select pg_terminate_backend(${pid})`
  expect((await outcomes).map(({ status }) => status)).toEqual(transactions.map(() => 'rejected'))
  await expectWholePool(pool, 10)
  expect(await marks()).toEqual([])
})

test('after an outage, in which no transaction could begin, the whole pool works again', async () => {
  const front = tcpFront(await freePort(), Number(new URL(database.url).port))
  const url = new URL(database.url)
  url.port = String(front.port)
  const pool = openDatabase({ url: url.href, pool: 3, role: 'sealwright_system' })
  const begin = () => inTransaction(pool, (sql) => sql`select pg_sleep(0.05)`)
  const ask = () => queryInOrganisation(pool, newId(OrgId), (sql) => sql<{ n: number }[]>`select 1 as n`)
  for (let outage = 0; outage < 3; outage++) {
    const refused = await Promise.allSettled([...Array.from({ length: 10 }, begin), ask(), ask()])
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']))
    await front.open()
    await expect.poll(() => Promise.all([begin(), begin(), begin()]).catch(() => []), { timeout: 5_000 }).toHaveLength(3)
    await expect.poll(() => ask().catch(() => []), { timeout: 5_000 }).toEqual([{ n: 1 }])
    await front.close()
  }
  await pool.end({ timeout: 5 })
})
