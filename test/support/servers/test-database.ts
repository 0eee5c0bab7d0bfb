// A separate database, cloned from the migrated template, with a pool per role and a clock that tests can move.
import { randomUUID } from 'node:crypto'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { refreshClock } from '#core/platform/postgres/clock.ts'
import postgres from 'postgres'
import { inject } from 'vitest'

export interface TestDatabase extends AsyncDisposable {
  /** Of the owner. */
  url: string
  /** Of the user of the API, and of a user of the workers, as in a cluster. */
  apiUrl: string
  systemUrl: string
  /** The API's pool: one organisation at a time. */
  api: Database
  /** The workers' pool. */
  system: Database
  /** The schema owner's pool, which row-level security does not restrict. */
  owner: Database
  /** Sets the database clock this many seconds off real time. */
  moveClock(seconds: number): Promise<void>
}

export async function testDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = postgres(`${server}/postgres`, { max: 1, onnotice: () => {} })
  await cloneTemplate(admin, name)
  const url = `${server}/${name}`
  const urls = inject('databaseUrls')
  const at = (each: string) => Object.assign(new URL(each), { pathname: `/${name}` }).href
  const api = openDatabase({ url: at(urls.api), pool: 20, role: 'sealwright_api' })
  const system = openDatabase({ url: at(urls.worker), pool: 10, role: 'sealwright_system' })
  const owner = openDatabase({ url, pool: 10 })
  return {
    url,
    apiUrl: at(urls.api),
    systemUrl: at(urls.worker),
    api,
    system,
    owner,
    async moveClock(seconds) {
      await owner.unsafe(
        `create or replace function sealwright_now() returns timestamptz language sql stable as 'select now() + interval ''${seconds} seconds'''`,
      )
      await Promise.all([refreshClock(api), refreshClock(system)])
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([api, system, owner].map((pool) => pool.end({ timeout: 5 })))
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end({ timeout: 5 })
    },
  }
}

/** Files start concurrently, and a template allows one copy at a time. */
async function cloneTemplate(admin: postgres.Sql, name: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await admin.unsafe(`create database ${name} template template strategy wal_log`)
      return
    } catch (error) {
      if (tries > 100 || !(error instanceof Error) || !/being accessed by other users/.test(error.message)) throw error
    }
  }
}
