// A database without the schema, to migrate or to leave empty.
import { randomUUID } from 'node:crypto'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import type { TestDatabase } from './test-database.ts'

export interface EmptyDatabase extends AsyncDisposable {
  url: string
  /** A single connection. */
  owner: Database
}

/** On the server of `beside`; `options` are those of `create database`. */
export async function emptyDatabase(beside: TestDatabase, options = ''): Promise<EmptyDatabase> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await beside.owner.unsafe(`create database ${name} template template0 ${options}`)
  const url = beside.url.replace(/[^/]+$/, name)
  const owner = openDatabase({ url, pool: 1 })
  return {
    url,
    owner,
    async [Symbol.asyncDispose]() {
      await owner.end({ timeout: 5 })
      await beside.owner.unsafe(`drop database ${name} with (force)`)
    },
  }
}
