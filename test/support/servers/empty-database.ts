// A database without migrations, or with the first few.
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import type { TestDatabase } from './test-database.ts'

const MIGRATIONS = new URL('../../../core/schema/migrations/', import.meta.url)

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

/** Applies every migration before this one, as an older version did. */
export async function migrateBefore(owner: Database, name: string): Promise<void> {
  await owner`
    create table migrations (version integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())`
  const older = (await readdir(MIGRATIONS)).sort().filter((each) => each < name)
  for (const each of older) {
    const text = await readFile(new URL(each, MIGRATIONS), 'utf8')
    const digest = createHash('sha256').update(text).digest('hex')
    await owner.unsafe(text)
    await owner`insert into migrations (version, name, digest) values (${Number(each.slice(0, 4))}, ${each}, ${digest})`
  }
}
