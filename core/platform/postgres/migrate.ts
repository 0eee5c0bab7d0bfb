// Forward-only, numbered migrations, each in its own transaction; a second process waits and then finds nothing to do.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { type Database, openDatabase, type Sql } from './client.ts'
import { toDatabaseError } from './startup-error.ts'
import { assertServerVersion } from './check-server.ts'

const FOLDER = new URL('../../schema/migrations/', import.meta.url)
const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
/** Any constant: the advisory lock of the process that migrates. */
const MIGRATION_LOCK = 7_325_001
const ASK_AGAIN_MS = 250
const COMPATIBLE_FROM = /^-- compatible from: (\d{4})$/m

interface AppliedMigration {
  version: number
  name: string
  digest: string
  /** Code that knows this migration or a later one works with the schema. Null: only code that knows this one itself. */
  compatibleFrom: number | null
}

interface Migration extends AppliedMigration {
  text: string
}

export interface MigrateOptions {
  /** Ends the wait for another process that migrates; a migration under way is finished. */
  signal?: AbortSignal
  /** Receives one sentence while it waits. */
  onWait?: (sentence: string) => void
}

/** Brings the schema of the database at `url` up to date and returns the names of the applied migrations. Needs the owner's rights. Throws
 *  StartupError when the database cannot be reached, lacks rights, or is too old or too new for this code. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const database = openDatabase({ url, pool: 1 })
  try {
    await assertServerVersion(database)
    await lockMigrations(database, options)
    return await applyWaiting(database, await readMigrations())
  } catch (error) {
    if (options.signal?.aborted && error === options.signal.reason) throw error
    const startupError = toDatabaseError(error)
    // During a migration a missing table is a bug in its SQL.
    throw startupError.kind === 'DATABASE_NOT_MIGRATED' ? error : startupError
  } finally {
    await database.end({ timeout: 5 })
  }
}

/** Held until the connection ends. */
async function lockMigrations(database: Database, { signal, onWait }: MigrateOptions): Promise<void> {
  while (true) {
    signal?.throwIfAborted()
    const [row] = await database<{ locked: boolean }[]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`
    if (row?.locked) return
    onWait?.('SEALWRIGHT_DATABASE_URL: another process is migrating the database; waiting for it.')
    await delay(ASK_AGAIN_MS)
  }
}

async function applyWaiting(database: Database, migrations: Migration[]): Promise<string[]> {
  // Building an index over millions of rows takes longer than a request may.
  await database`set statement_timeout = 0`
  await database`
    create table if not exists migrations (
      version integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())`
  await database`alter table migrations add column if not exists compatible_from integer`
  const applied = await listApplied(database)
  assertKnown(applied, migrations)
  const waiting = migrations.filter((migration) => !applied.some(({ version }) => version === migration.version))
  for (const migration of waiting) await database.begin((sql) => apply(sql, migration))
  return waiting.map(({ name }) => name)
}

/** The names of migrations that the database lacks. Throws when the database is too new for this code. */
export async function listPending(database: Database): Promise<string[]> {
  const migrations = await readMigrations()
  // The table is created before the grant to read it, so it may be found without the grant while migrations run.
  const [found] = await database<{ readable: boolean | null }[]>`
    select has_table_privilege(to_regclass('migrations'), 'select') as readable`
  if (!found?.readable) return migrations.map(({ name }) => name)
  const applied = await listApplied(database)
  assertKnown(applied, migrations)
  return migrations.filter(({ version }) => !applied.some((each) => each.version === version)).map(({ name }) => name)
}

/** An older version may have made the table, without its last column. */
async function listApplied(database: Database): Promise<AppliedMigration[]> {
  return database<AppliedMigration[]>`
    select version, name, digest, (to_jsonb(migrations) ->> 'compatible_from')::integer as compatible_from from migrations order by version`
}

async function apply(sql: Sql, { version, name, text, digest, compatibleFrom }: Migration): Promise<void> {
  await sql.unsafe(text)
  await sql`
    insert into migrations (version, name, digest, compatible_from) values (${version}, ${name}, ${digest}, ${compatibleFrom})`
}

/** Accepts migrations of a newer version that are compatible with this one: its pods run during an upgrade, and again after a rollback. */
function assertKnown(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0
  for (const { version, name, digest, compatibleFrom } of applied) {
    const known = migrations.find((migration) => migration.version === version)
    if (!known && (compatibleFrom ?? version) > newest)
      throw otherVersion(`the database has migration ${name}, which this version does not know; use a newer version.`)
    if (known && known.digest !== digest) throw otherVersion(`migration ${name} was changed after it was applied.`)
  }
}

function otherVersion(text: string): StartupError {
  return new StartupError('DATABASE_UNFIT', `SEALWRIGHT_DATABASE_URL: ${text}`)
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => NAME.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      const compatible = COMPATIBLE_FROM.exec(text)?.[1]
      return {
        version: Number(name.slice(0, 4)),
        name,
        text,
        digest: createHash('sha256').update(text).digest('hex'),
        compatibleFrom: compatible === undefined ? null : Number(compatible),
      }
    }),
  )
}
