// The only file that imports the driver: opens pools and transactions under the two roles of the schema.
import postgres from 'postgres'
import { OrgId } from '#core/ids.ts'
import { assertCorrected } from './check-driver.ts'
import { isOutdatedPlan } from './postgres-error.ts'
import { openSharedReader, type SharedReader } from './shared-reader.ts'
import type { Database, Sql, Statement } from './sql.ts'
import { transact, singleRoundTrip, pipelinedTransaction } from './transaction.ts'

export type { Database, Sql } from './sql.ts'

/** `sealwright_api` sees one organisation at a time; `sealwright_system` runs workers and sweeps over all. */
export type DatabaseRole = 'sealwright_api' | 'sealwright_system'

export interface DatabaseOptions {
  url: string
  /** The most connections. */
  pool: number
  /** Absent: the user of the URL, who owns the schema; only for migrations. */
  role?: DatabaseRole
  /** How long a connection may be unresponsive during a statement before it counts as lost; 0: no limit. Absent: slightly longer than the statement
   *  timeout of a role; without a role no limit, because an owner's statements may take longer. */
  silenceSeconds?: number
}

const RECONNECT_AFTER_SECONDS = 0.2
const STATEMENT_SECONDS = 30

/** Opened with the pool. */
const readers = new WeakMap<Database, SharedReader>()
/** Opened with the pool; see `probeOf`. */
const probes = new WeakMap<Database, Database>()

/** Opens a pool; connects on first use. Close it with `end()`. Throws StartupError for a driver without our corrections. */
export function openDatabase(options: DatabaseOptions): Database {
  const database = openPool(options)
  assertCorrected(database)
  const reader = openSharedReader(openReadPool(options), (orgId) => `set ${rlsScope(orgId)}`)
  readers.set(database, reader)
  const probe = openPool({ ...options, pool: 1 })
  probes.set(database, probe)
  const end = database.end.bind(database)
  return Object.assign(database, {
    end: async (how?: { timeout?: number }) => void (await Promise.all([end(how), reader.end(), probe.end(how)])),
  })
}

/** The driver takes a session with read-only default for a read-only server: where the URL requires a writable one, the reader requires the primary. */
function openReadPool(options: DatabaseOptions): Database {
  const wantsWriter = /[?&]target_session_attrs=read-write(&|$)/.test(options.url)
  const session = { default_transaction_read_only: true }
  return openPool({ ...options, pool: 1 }, session, wantsWriter ? { target_session_attrs: 'primary' } : {})
}

function openPool(
  { url, pool, role, silenceSeconds = role ? STATEMENT_SECONDS + 5 : 0 }: DatabaseOptions,
  session: Partial<postgres.ConnectionParameters> = {},
  server: Pick<postgres.Options<never>, 'target_session_attrs'> = {},
): Database {
  // An option of our patch (hack/postgres-corrections.mjs): TCP alone detects an unresponsive server after a quarter of an hour.
  const patience: object = { silence_timeout: silenceSeconds }
  return postgres(url, {
    ...server,
    max: pool,
    // NOTE: only column names are camelised; the driver's plain `postgres.camel` would rewrite keys inside jsonb, which are the customer's labels.
    transform: { column: postgres.camel.column },
    // Sizes and counts stay far below 2^53, so they are read as numbers.
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    connect_timeout: 10,
    ...patience,
    idle_timeout: 300,
    // The driver counts each lost connection of the pool as a failed attempt: its own back-off would be 20 s after ten of them at once.
    backoff: () => RECONNECT_AFTER_SECONDS * (0.5 + Math.random()),
    onnotice: () => {},
    connection: {
      application_name: role ?? 'sealwright',
      statement_timeout: STATEMENT_SECONDS * 1000,
      idle_in_transaction_session_timeout: 60_000,
      TimeZone: 'UTC',
      ...(role && { role }),
      ...session,
    },
  })
}

/** Runs `work` in a transaction that reads and writes one organisation's rows only (row-level security). */
export async function inOrganisation<T>(database: Database, orgId: OrgId, work: (sql: Sql) => Promise<T>): Promise<T> {
  return transact(database, { begin: 'begin', first: `set local ${rlsScope(orgId)}` }, work)
}

/** Reads within one organisation from one snapshot: the results of several statements are consistent, whatever is committed meanwhile. */
export async function readInOrganisation<T>(database: Database, orgId: OrgId, work: (sql: Sql) => Promise<T>): Promise<T> {
  return transact(
    database,
    { begin: 'begin isolation level repeatable read read only', first: `set local ${rlsScope(orgId)}` },
    work,
  )
}

/** Reads two independent statements, in a single round trip. */
export async function readTogether<First extends object, Second extends object>(
  database: Database,
  orgId: OrgId,
  ...statements: readonly [Statement<First>, Statement<Second>]
): Promise<[First[], Second[]]> {
  return pipelinedTransaction(
    database,
    { begin: 'begin isolation level repeatable read read only', first: `set local ${rlsScope(orgId)}` },
    statements,
  )
}

/** A separate connection for health checks: busy connections and lock waits say nothing about the server. */
export function probeOf(database: Database): Database {
  return probes.get(database) ?? database
}

/** Reads with one statement within one organisation, under the same RLS scope, on the connection that all such reads share. */
export async function queryInOrganisation<Row extends object>(
  database: Database,
  orgId: OrgId,
  statement: Statement<Row>,
): Promise<Row[]> {
  const reader = readers.get(database)
  if (!reader) return inOrganisation(database, orgId, statement)
  try {
    return await reader.read(orgId, statement)
  } catch (error) {
    // A migration changed the result type of the prepared statement; the driver has discarded the old plan by now.
    if (isOutdatedPlan(error)) return reader.read(orgId, statement)
    throw error
  }
}

/** Writes with one statement within one organisation: a transaction in a single round trip. */
export async function changeInOrganisation<Row extends object>(
  database: Database,
  orgId: OrgId,
  statement: Statement<Row>,
): Promise<Row[]> {
  return singleRoundTrip(database, { begin: 'begin', first: `set local ${rlsScope(orgId)}` }, statement)
}

/** Writes across organisations with one statement, a transaction in a single round trip; only for pools of the system role. It is planned each time, for tables
 *  that are empty now and large a moment later: a plan that is kept would read all of them. */
export async function changeWithFreshPlan<Row extends object>(database: Database, statement: Statement<Row>): Promise<Row[]> {
  return singleRoundTrip(database, { begin: 'begin', first: 'set local plan_cache_mode = force_custom_plan' }, statement)
}

/** Runs `work` in a transaction across organisations; only pools of the system role see rows there. */
export async function inTransaction<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return transact(database, { begin: 'begin' }, work)
}

/** Reads across organisations from one snapshot, without a statement timeout; only for pools of the system role and for work that streams. */
export async function inSnapshot<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  const opening = { begin: 'begin isolation level repeatable read read only', first: 'set local statement_timeout = 0' } as const
  return transact(database, opening, work)
}

/** The setting that the row-level-security policies compare with. */
function rlsScope(orgId: OrgId): string {
  return `sealwright.org_id = '${OrgId.parse(orgId)}'`
}
