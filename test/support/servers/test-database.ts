// A database of one's own, cloned from the migrated template, with a pool for each role and a clock that can be moved.
import { randomUUID } from 'node:crypto'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { refreshClock } from '#core/platform/postgres/clock.ts'
import postgres from 'postgres'
import { inject } from 'vitest'

export interface TestDatabase extends AsyncDisposable {
  url: string
  /** As the API sees it: one organisation at a time. */
  api: Database
  /** As workers see it. */
  system: Database
  /** As the schema's owner, past every wall. */
  owner: Database
  /** Moves the clock of this database by so many seconds from the real time. */
  moveClock(seconds: number): Promise<void>
}

export async function testDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = postgres(`${server}/postgres`, { max: 1, onnotice: () => {} })
  await cloneTemplate(admin, name)
  const url = `${server}/${name}`
  const api = openDatabase({ url, pool: 20, role: 'sealwright_api' })
  const system = openDatabase({ url, pool: 10, role: 'sealwright_system' })
  const owner = openDatabase({ url, pool: 10 })
  return {
    url,
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

/** Files start side by side, and a template takes one copy at a time. */
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
