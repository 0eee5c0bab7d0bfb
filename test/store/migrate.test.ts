import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { listPending, migrate } from '#core/platform/postgres/migrate.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { newId, OrgId } from '#core/ids.ts'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { emptyDatabase } from '../support/servers/empty-database.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

describe('migrate', () => {
  test('does nothing on a database that is up to date', async () => {
    expect(await migrate(database.url)).toEqual([])
  })

  test('rejects a database that is newer than the code', async () => {
    await database.owner`insert into migrations (version, name, digest) values (9999, '9999_future.sql', 'x')`
    await expect(migrate(database.url)).rejects.toThrow('9999_future.sql')
    await database.owner`delete from migrations where version = 9999`
  })

  test('accepts migrations of a newer version that are compatible with the code, and no others', async () => {
    const [newest] = await database.owner<{ version: number }[]>`select max(version)::int as version from migrations`
    const future = (compatibleFrom: number) => database.owner`
      insert into migrations (version, name, digest, compatible_from) values (9999, '9999_future.sql', 'x', ${compatibleFrom})
      on conflict (version) do update set compatible_from = excluded.compatible_from`
    await future(newest!.version)
    expect([await migrate(database.url), await listPending(database.system)]).toEqual([[], []])
    await future(newest!.version + 1)
    await expect(migrate(database.url)).rejects.toThrow('9999_future.sql')
    await expect(listPending(database.system)).rejects.toThrow('9999_future.sql')
    await database.owner`delete from migrations where version = 9999`
  })

  test('says of each migration since the first chart with which versions it is compatible', async () => {
    const folder = 'core/schema/migrations'
    const since = (await readdir(folder)).filter((name) => name > '0020')
    expect(since.length).toBeGreaterThan(3)
    for (const name of since)
      expect(await readFile(path.join(folder, name), 'utf8'), name).toMatch(/^-- compatible from: \d{4}$/m)
  })

  test('reads the table as a version before the column for compatibility has made it', async () => {
    await using empty = await emptyDatabase(database)
    await empty.owner`create table migrations (version integer primary key, name text not null, digest text not null)`
    expect(await listPending(empty.owner)).toContain('0001_platform.sql')
    expect(await migrate(empty.url)).toContain('0001_platform.sql')
  })

  test('rejects a migration that was changed after it was applied', async () => {
    await database.owner`update migrations set digest = 'other' || digest where version = 1`
    await expect(migrate(database.url)).rejects.toThrow('was changed')
    await database.owner`update migrations set digest = substr(digest, 6) where version = 1`
  })
})

test('a migration may take as long as it needs', async () => {
  await using empty = await emptyDatabase(database)
  await empty.owner.unsafe(`
    create table limits (statement_timeout text);
    create function note_limit() returns event_trigger language plpgsql as
      $$ begin insert into public.limits values (current_setting('statement_timeout')); end $$;
    create event trigger limits on ddl_command_start execute function note_limit()`)
  expect(await migrate(empty.url)).toContain('0001_platform.sql')
  expect(await empty.owner`select distinct statement_timeout from limits`).toEqual([{ statementTimeout: '0' }])
})

describe('while another process migrates', () => {
  test('it waits and reports that', async () => {
    await using empty = await emptyDatabase(database)
    const others = await empty.owner.reserve()
    await others`select pg_advisory_lock(7325001)`
    const onWait = vi.fn()
    const migrated = migrate(empty.url, { onWait })
    await expect
      .poll(() => onWait.mock.calls)
      .toContainEqual([expect.stringContaining('another process is migrating the database')])
    expect(await others`select to_regclass('envelopes') as envelopes`).toEqual([{ envelopes: null }])
    await others`select pg_advisory_unlock(7325001)`
    others.release()
    expect(await migrated).toContain('0001_platform.sql')
  })

  test('the wait ends with a stop', async () => {
    await using empty = await emptyDatabase(database)
    const others = await empty.owner.reserve()
    await others`select pg_advisory_lock(7325001)`
    const stop = new AbortController()
    const ended = migrate(empty.url, { signal: stop.signal, onWait: () => stop.abort(new Error('asked to stop')) })
    await expect(ended).rejects.toThrow('asked to stop')
    others.release()
  })
})

describe('row-level security', () => {
  test('the API sees only its own organisation, even without a filter', async () => {
    const mine = await createOrganisation({ database: database.system }, { name: 'Mine' })
    await createOrganisation({ database: database.system }, { name: 'Theirs' })
    const names = await inOrganisation(database.api, mine.orgId, (sql) => sql<{ name: string }[]>`select name from organisations`)
    expect(names.map(({ name }) => name)).toEqual(['Mine'])
    const credentials = await inOrganisation(
      database.api,
      mine.orgId,
      (sql) => sql<{ clientId: string }[]>`select client_id from credentials`,
    )
    expect(credentials.map(({ clientId }) => clientId)).toEqual([mine.clientId])
  })

  test('outside an organisation the API sees nothing', async () => {
    expect(await database.api`select 1 from credentials`).toHaveLength(0)
  })

  test('a row of another organisation cannot be written', async () => {
    const { orgId } = await createOrganisation({ database: database.system }, { name: 'Writer' })
    const foreign = newId(OrgId)
    const write = inOrganisation(
      database.api,
      orgId,
      (sql) => sql`insert into outbox (org_id, subject, body) values (${foreign}, 'x', '{}')`,
    )
    await expect(write).rejects.toThrow('row-level security')
  })

  test('neither role may change the audit trail, and not even the owner can by plain SQL', async () => {
    await expect(database.system`update audit_events set action = 'x'`).rejects.toThrow('permission denied')
    await expect(database.api`delete from audit_events`).rejects.toThrow('permission denied')
    await expect(database.owner`truncate audit_events`).rejects.toThrow('only grows')
  })
})

test('every table is planned the same for all organisations: none keeps statistics of them', async () => {
  const kept = await database.owner<{ table: string }[]>`
    select c.relname as table
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'org_id' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attstattarget is distinct from 0`
  expect(kept.map(({ table }) => table)).toEqual([])
})
