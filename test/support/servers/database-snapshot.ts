// A copy of a test database at one moment, as a backup would hold it: rows, privileges and sequences.
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

export interface DatabaseSnapshot extends AsyncDisposable {
  /** Puts the database back to that moment, under the same name. Connections to it are lost. */
  restore(): Promise<void>
}

/** Ends all connections to the database, because Postgres copies only a database without any. */
export async function snapshotDatabase(url: string): Promise<DatabaseSnapshot> {
  const { pathname, href } = new URL(url)
  const name = pathname.slice(1)
  const admin = postgres(href.slice(0, -pathname.length) + '/postgres', { max: 1, onnotice: () => {} })
  const copy = `${name}_then`
  await copyDatabase(admin, name, copy)
  return {
    async restore() {
      await admin.unsafe(`drop database ${name} with (force)`)
      await copyDatabase(admin, copy, name)
    },
    async [Symbol.asyncDispose]() {
      await admin.unsafe(`drop database ${copy} with (force)`)
      await admin.end({ timeout: 5 })
    },
  }
}

async function copyDatabase(admin: postgres.Sql, from: string, to: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${from}`
    try {
      await admin.unsafe(`create database ${to} template ${from} strategy wal_log`)
      return
    } catch (error) {
      if (tries > 100 || !(error instanceof Error) || !/being accessed by other users/.test(error.message)) throw error
      await delay(20)
    }
  }
}
