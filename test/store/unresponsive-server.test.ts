// An unresponsive server: no FIN, no RST, no response. TCP would detect it after a quarter of an hour.
import { openDatabase, queryInOrganisation, type Database, inOrganisation } from '#core/platform/postgres/client.ts'
import { newId, OrgId } from '#core/ids.ts'
import { fromPostgresError } from '#core/platform/postgres/postgres-error.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../support/faults/tcp-proxy.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const ORGANISATION = newId(OrgId)

let database: TestDatabase
let proxy: TcpProxy
let pool: Database
beforeAll(async () => {
  database = await testDatabase()
  const url = new URL(database.url)
  proxy = await startTcpProxy(Number(url.port))
  url.port = String(proxy.port)
  url.hostname = '127.0.0.1'
  pool = openDatabase({ url: url.href, pool: 3, role: 'sealwright_api', silenceSeconds: 1 })
})
afterAll(async () => {
  await pool.end({ timeout: 1 })
  await proxy[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const read = () => queryInOrganisation(pool, ORGANISATION, (sql) => sql`select 1 as one`)
const change = () => inOrganisation(pool, ORGANISATION, (sql) => sql`select 1 as one`)

/** The transactions wait for each other, so that each gets its own connection. */
async function openThemAll(): Promise<void> {
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const changes = begun.map(({ resolve }) =>
    inOrganisation(pool, ORGANISATION, async (sql) => {
      await sql`select 1`
      resolve()
      await Promise.all(begun.map(({ promise }) => promise))
    }),
  )
  await Promise.all([read(), ...changes])
}

test('reads and writes fail as with a lost connection, and the next ones use another', async () => {
  await openThemAll()
  proxy.mute()
  // As many as there are connections, so that each of them is detected.
  const faults = await Promise.allSettled([read(), read(), change(), change()])
  for (const fault of faults) {
    expect(fault.status).toBe('rejected')
    expect(fault.status === 'rejected' && fromPostgresError(fault.reason)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  }
  expect(await Promise.all([read(), change()])).toEqual([[{ one: 1 }], [{ one: 1 }]])
})

test('a transaction that waits for its own process is not unresponsive', async () => {
  const one = await inOrganisation(pool, ORGANISATION, async (sql) => {
    await sql`select 1`
    const [row] = await database.owner<{ slept: boolean }[]>`select true as slept from pg_sleep(1.5)`
    expect(row?.slept).toBe(true)
    return sql`select 1 as one`
  })
  expect(one).toEqual([{ one: 1 }])
})
