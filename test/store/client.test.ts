import { queryInOrganisation, inOrganisation, openDatabase, type Sql } from '#core/platform/postgres/client.ts'
import { currentTime, refreshClock } from '#core/platform/postgres/clock.ts'
import { newId, OrgId } from '#core/ids.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
const [mine, theirs] = [newId(OrgId), newId(OrgId)]

beforeAll(async () => {
  database = await testDatabase()
  for (const id of [mine, theirs]) await database.owner`insert into organisations (id, name) values (${id}, 'x')`
})
afterAll(() => database[Symbol.asyncDispose]())

describe('a read by one statement', () => {
  test('sees its own organisation only, however many reads run concurrently', async () => {
    const seen = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const orgId = index % 2 ? mine : theirs
        return queryInOrganisation(database.api, orgId, (sql) => sql<{ id: string }[]>`select id from organisations`)
      }),
    )
    expect(seen.map((rows) => rows.map(({ id }) => id))).toEqual(seen.map((_, index) => [index % 2 ? mine : theirs]))
    const after = await Promise.all(Array.from({ length: 30 }, () => database.api`select id from organisations`))
    expect(new Set(after.map(({ length }) => length))).toEqual(new Set([0]))
  })

  test.each(['primary', 'read-write'])(
    'goes to the server that the transactions go to, where the URL asks for target_session_attrs=%s',
    async (attributes) => {
      const api = openDatabase({ url: `${database.url}?target_session_attrs=${attributes}`, pool: 1, role: 'sealwright_api' })
      try {
        const ids = (sql: Sql) => sql<{ id: string }[]>`select id from organisations`
        expect(await inOrganisation(api, mine, ids)).toEqual([{ id: mine }])
        expect(await queryInOrganisation(api, mine, ids)).toEqual([{ id: mine }])
      } finally {
        await api.end({ timeout: 1 })
      }
    },
  )

  test('continues when a migration has changed its result type', async () => {
    await database.owner`create table changing as select 1::int as value`
    await database.owner`grant select on changing to sealwright_api`
    const ask = () => queryInOrganisation(database.api, mine, (sql) => sql<{ value: unknown }[]>`select value from changing`)
    expect(await ask()).toEqual([{ value: 1 }])
    await database.owner`alter table changing alter value type text`
    const others = () => queryInOrganisation(database.api, theirs, (sql) => sql<{ id: string }[]>`select id from organisations`)
    const [answer, [other]] = await Promise.all([ask(), others()])
    expect(answer).toEqual([{ value: '1' }])
    expect(other?.id).toBe(theirs)
  })

  test('rejects an invalid organisation id, and continues', async () => {
    const ask = (orgId: string) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no id at all
      queryInOrganisation(database.api, orgId as OrgId, (sql) => sql<object[]>`select id from organisations`)
    await ask(mine)
    await expect(ask("'; select '")).rejects.toThrow()
    expect(await ask(theirs)).toHaveLength(1)
  })

  test('cannot write', async () => {
    const writing = queryInOrganisation(
      database.api,
      mine,
      (sql) => sql<object[]>`update organisations set name = 'y' returning id`,
    )
    await expect(writing).rejects.toThrow(/read-only/)
  })

  test('returns its connection when it fails, and replaces a lost one', async () => {
    const fail = () => queryInOrganisation(database.api, mine, (sql) => sql<object[]>`select 1 / (select 0)`)
    for (let round = 0; round < 30; round++) await expect(fail()).rejects.toThrow(/division by zero/)
    const die = () => queryInOrganisation(database.api, mine, (sql) => sql<object[]>`select pg_sleep(30)`)
    const dying = Promise.allSettled(Array.from({ length: 25 }, die))
    const stop = async () => {
      const killed = await database.owner`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`
      return killed.length
    }
    const done = dying.then(() => true)
    while (!(await Promise.race([done, stop().then(() => false)])));
    expect(new Set((await dying).map(({ status }) => status))).toEqual(new Set(['rejected']))
    // The last of them may still be closing; after that every connection of the pool works again.
    const askAll = () =>
      Promise.all(
        Array.from({ length: 40 }, () =>
          queryInOrganisation(database.api, mine, (sql) => sql<object[]>`select id from organisations`),
        ),
      )
    await vi.waitFor(async () => expect((await askAll()).every(({ length }) => length === 1)).toBe(true), { timeout: 5_000 })
  })
})

describe("the database's clock", () => {
  test('is known without a query each time, and not from the clock of this process', async () => {
    await refreshClock(database.api)
    const now = (await currentTime(database.api)).getTime()
    vi.setSystemTime(Date.now() + 86_400_000)
    try {
      expect(Math.abs((await currentTime(database.api)).getTime() - now)).toBeLessThan(5_000)
      await refreshClock(database.api)
      expect(Math.abs((await currentTime(database.api)).getTime() - now)).toBeLessThan(5_000)
    } finally {
      vi.useRealTimers()
    }
  })

  test('follows when it is changed', async () => {
    await database.moveClock(7_200)
    expect((await currentTime(database.api)).getTime() - Date.now()).toBeGreaterThan(7_100_000)
    await database.moveClock(0)
  })
})
