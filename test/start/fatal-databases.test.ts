// A database problem that no retry can fix ends the process: exit code 1 and one sentence with the setting's name, never a stack.
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { claimKey } from '#core/installation/check-key.ts'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import {
  API,
  CONTROLLER,
  EMBEDDED,
  RELAY,
  says,
  SEAL,
  type MisconfiguredStarts,
  misconfiguredStarts,
} from '../support/faults/misconfigured-start.ts'
import { tcpFront } from '../support/faults/tcp-front.ts'
import { testDatabase } from '../support/servers/test-database.ts'
import type { Environment } from '../support/servers/tier-process.ts'

let starts: MisconfiguredStarts

beforeAll(async () => {
  starts = await misconfiguredStarts()
})
afterAll(() => starts[Symbol.asyncDispose]())

describe.concurrent('Postgres:', () => {
  const urlWith = (change: (url: URL) => void): Environment => {
    const url = new URL(starts.database.url)
    change(url)
    return { SEALWRIGHT_DATABASE_URL: url.href }
  }
  const asOwner = async (statements: string): Promise<void> => {
    const sql = postgres(inject('postgresUrl'), { database: 'postgres', max: 1, onnotice: () => {} })
    try {
      await sql.unsafe(statements)
    } finally {
      await sql.end()
    }
  }

  test.each([
    ['the API', API],
    ['the controller', CONTROLLER],
    ['a worker', RELAY],
    ['the service in one process', EMBEDDED],
  ])('a wrong password ends %s', async (_, command) => {
    const changed = urlWith((url) => (url.password = 'wrong'))
    expect(
      await starts.ending(command, { ...changed, SEALWRIGHT_DATA_DIR: path.join(starts.folder, `${command.join()}-wrong`) }),
    ).toEqual(says(/^SEALWRIGHT_DATABASE_URL: the user or the password is wrong \(.*\)\.$/))
  })

  test('no such database', async () => {
    expect(
      await starts.ending(
        CONTROLLER,
        urlWith((url) => (url.pathname = '/absent')),
      ),
    ).toEqual(says(/^SEALWRIGHT_DATABASE_URL: the database does not exist \(database "absent" does not exist\)\.$/))
  })

  test('a user without the grants', async () => {
    await asOwner(`create role poor login password 'poor'`)
    const poor = urlWith((url) => ([url.username, url.password] = ['poor', 'poor']))
    expect(await starts.ending(API, poor)).toEqual(
      says(
        /^SEALWRIGHT_DATABASE_URL: the user lacks the required privileges \(permission denied to set role "sealwright_api"\)\.$/,
      ),
    )
  })

  test.each([
    ['the API', API, 'sealwright_api'],
    ['the controller', CONTROLLER, 'sealwright_system'],
    ['a worker', RELAY, 'sealwright_system'],
    ['the service in one process', EMBEDDED, 'sealwright_api'],
  ])('a database that was restored without privileges ends %s', async (_, command, role) => {
    await using restored = await testDatabase()
    await restored.owner`revoke all on all tables in schema public from sealwright_api, sealwright_system`
    const changed = {
      SEALWRIGHT_DATABASE_URL: restored.url,
      SEALWRIGHT_DATA_DIR: path.join(starts.folder, `${command.join()}-restored`),
    }
    const sentence = `^SEALWRIGHT_DATABASE_URL: the role ${role} lacks the privilege to read the table [a-z_]+; restore the database with its privileges\\.$`
    expect(await starts.ending(command, changed)).toEqual(says(new RegExp(sentence)))
  })

  test("a grant that a worker's role lacks at its start", async () => {
    await using restored = await testDatabase()
    await restored.owner`revoke all on seal_certificates from sealwright_system`
    expect(await starts.ending(SEAL, { SEALWRIGHT_DATABASE_URL: restored.url })).toEqual(
      says(
        /^SEALWRIGHT_DATABASE_URL: the user lacks the required privileges \(permission denied for table seal_certificates\)\.$/,
      ),
    )
  })

  test('a user who may not create tables cannot migrate', async () => {
    await asOwner(`create role modest login password 'modest'`)
    await asOwner('create database modest_empty')
    const modest = urlWith((url) => ([url.username, url.password, url.pathname] = ['modest', 'modest', '/modest_empty']))
    expect(await starts.ending(EMBEDDED, { ...modest, SEALWRIGHT_DATA_DIR: path.join(starts.folder, 'modest') })).toEqual(
      says(/^SEALWRIGHT_DATABASE_URL: the user lacks the required privileges \(permission denied .*\)\.$/),
    )
    await asOwner('drop database modest_empty with (force)')
  })

  test('an old server', async () => {
    const front = tcpFront(await freePort(), Number(new URL(starts.database.url).port), (chunk) =>
      Buffer.from(chunk.toString('latin1').replaceAll(/18(?=\.\d|0\d{3})/g, '14'), 'latin1'),
    )
    await front.open()
    expect(
      await starts.ending(
        CONTROLLER,
        urlWith((url) => (url.port = String(front.port))),
      ),
    ).toEqual(says(/^SEALWRIGHT_DATABASE_URL: Postgres 14\.\d+ is too old; version 15 or later is required\.$/))
    await front.close()
  })

  test('a database whose encoding lacks characters', async () => {
    await asOwner(`create database latin encoding 'LATIN1' locale 'C' template template0`)
    expect(
      await starts.ending(
        CONTROLLER,
        urlWith((url) => (url.pathname = '/latin')),
      ),
    ).toEqual(says(/^SEALWRIGHT_DATABASE_URL: the database has the encoding LATIN1; create one with the encoding UTF8\.$/))
  })

  test('a schema that is newer than this version', async () => {
    await using newer = await testDatabase()
    await newer.owner`insert into migrations (version, name, digest) values (9999, '9999_future.sql', 'x')`
    expect(await starts.ending(CONTROLLER, { SEALWRIGHT_DATABASE_URL: newer.url })).toEqual(
      says(/^SEALWRIGHT_DATABASE_URL: the database has migration 9999_future.sql, which this version does not know/),
    )
  })

  test('a server that requires TLS', async () => {
    await asOwner(`
      create role careful login password 'careful';
      do $$ declare lines text := 'hostnossl all careful 127.0.0.1/32 reject' || E'\\n' || pg_read_file(current_setting('hba_file'));
      begin
        execute format('copy (select regexp_split_to_table(%L, %L)) to %L', lines, E'\\n', current_setting('hba_file'));
      end $$;
      select pg_reload_conf()`)
    const careful = urlWith((url) => ([url.username, url.password] = ['careful', 'careful']))
    expect(await starts.ending(CONTROLLER, careful)).toEqual(
      says(/^SEALWRIGHT_DATABASE_URL: the server requires TLS; add sslmode=verify-full to the URL \(.*no encryption\)\.$/),
    )
  })

  test('a server without TLS when TLS is required', async () => {
    expect(
      await starts.ending(
        CONTROLLER,
        urlWith((url) => (url.search = '?sslmode=verify-full')),
      ),
    ).toEqual(says(/^SEALWRIGHT_DATABASE_URL: the server does not offer TLS, but sslmode requires it/))
  })
})

describe.concurrent('The key:', () => {
  test.each([
    ['the API', API],
    ['the controller', CONTROLLER],
    ['a worker', RELAY],
    ['the service in one process', EMBEDDED],
  ])('one of another installation ends %s', async (_, command) => {
    await using taken = await testDatabase()
    await claimKey({ database: taken.system, keys: deriveInstallationKeys(randomBytes(32)) })
    const changed = {
      SEALWRIGHT_DATABASE_URL: taken.url,
      SEALWRIGHT_DATA_DIR: path.join(starts.folder, `${command.join()}-key`),
    }
    expect(await starts.ending(command, changed)).toEqual(
      says(/^SEALWRIGHT_INSTALLATION_KEY: the database was set up with a different key\.$/),
    )
  })
})
