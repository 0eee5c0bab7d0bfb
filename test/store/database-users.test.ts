// The users of docs/database-users.sql, as which the pools of all other tests sign in: what they cannot do, whatever runs in their processes.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOwner } from '#core/platform/postgres/check-owner.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { anOrganisation } from '../support/builders/rows.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
/** Without the role that a pool takes, as an attacker would connect. */
let users: Record<'api' | 'worker', Database>

beforeAll(async () => {
  database = await testDatabase()
  // Rights on the database itself are not part of the template.
  await database.owner.unsafe(await readFile(new URL('../../docs/database-users.sql', import.meta.url), 'utf8'))
  users = {
    api: openDatabase({ url: database.apiUrl, pool: 1 }),
    worker: openDatabase({ url: database.systemUrl, pool: 1 }),
  }
  await anOrganisation(database.system)
})
afterAll(async () => {
  await Promise.all(Object.values(users).map((pool) => pool.end({ timeout: 5 })))
  await database[Symbol.asyncDispose]()
})

const FORBIDDEN = { code: '42501' }

describe.each(['api', 'worker'] as const)('the user of the %s', (name) => {
  test.each([
    'create table mine (id int)',
    'create temporary table mine (id int)',
    'create schema mine',
    "create or replace function sealwright_now() returns timestamptz language sql as 'select null::timestamptz'",
    'alter table envelopes disable row level security',
    'drop policy own_organisation on envelopes',
    'drop table mails',
    'truncate audit_events',
    'alter role current_user bypassrls',
    'create role friend superuser',
    'set session_replication_role = replica',
    'set session authorization postgres',
    'delete from migrations',
    'update installation_key set proof = proof',
    "insert into retired_installation_keys (proof, box) values ('', '')",
    'update audit_events set action = action',
    'delete from audit_events',
    'update admin_events set action = action',
    "select pg_read_file('postgresql.conf')",
    'select rolpassword from pg_authid',
    "copy envelopes to program 'cat'",
  ])('cannot: %s', async (statement) => {
    await expect(users[name].unsafe(statement)).rejects.toMatchObject(FORBIDDEN)
  })

  test('is known to own nothing, unlike the owner', async () => {
    expect(await isOwner(database[name === 'api' ? 'api' : 'system'])).toBe(false)
    expect(await isOwner(database.owner)).toBe(true)
  })
})

describe('the user of the api', () => {
  test.each([
    'set role sealwright_system',
    'set role sealwright_login_worker',
    'select * from signing_key_materials',
    'select * from webhook_secret_references',
    'select * from webhook_secret_objects',
    'select * from key_workers',
    'select * from mirror_leader',
    'select * from store_watermark',
    'delete from events',
    "insert into organisations (id, name) values (gen_random_uuid(), 'mine')",
  ])('cannot: %s', async (statement) => {
    await expect(users.api.unsafe(statement)).rejects.toMatchObject(FORBIDDEN)
  })

  test('sees the rows of one organisation at a time, and cannot switch that off', async () => {
    const [count] = await database.owner<{ count: number }[]>`select count(*)::int as count from organisations`
    expect(count?.count).toBeGreaterThan(0)
    for (const table of ['organisations', 'workspaces', 'people', 'credentials'])
      expect(await users.api.unsafe(`select * from ${table}`), table).toEqual([])
    const [, result] = await users.api
      .begin(async (sql) => [await sql.unsafe('set local row_security = off'), await sql.unsafe('select * from organisations')])
      .catch((error: unknown) => [undefined, error])
    expect(result).toMatchObject(FORBIDDEN)
  })
})

test('a view reads with the rights of its caller, or says why not', async () => {
  const views = await database.owner<{ name: string; isInvoker: boolean; reason: string | null }[]>`
    select relname as name, coalesce(reloptions, '{}') && array['security_invoker=true', 'security_invoker=on'] as is_invoker,
      obj_description(oid, 'pg_class') as reason
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'v'`
  expect(views.length).toBeGreaterThan(1)
  for (const { name, isInvoker, reason } of views) if (!isInvoker) expect(reason, name).toMatch(/^Not security_invoker: /)
})
