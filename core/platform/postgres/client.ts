// The only place that imports the driver: opens pools and transactions under the two roles of the schema.
import postgres from 'postgres'
import { OrgId } from '#core/ids.ts'
import { isOutdatedPlan } from './postgres-error.ts'
import { openSharedReader, type SharedReader } from './shared-reader.ts'
import type { Database, Sql, Statement } from './sql.ts'
import { transact, singleRoundTrip, pipelinedTransaction } from './transaction.ts'

export type { Database, Sql } from './sql.ts'

/** `sealwright_api` sees one organisation at a time; `sealwright_system` runs workers and clock loops over all. */
export type DatabaseRole = 'sealwright_api' | 'sealwright_system'

export interface DatabaseOptions {
  url: string
  /** Connections at most. */
  pool: number
  /** Absent: as the user of the URL, who owns the schema; only for migrations. */
  role?: DatabaseRole
  /** For how long a statement may be silent before its connection is taken for lost; 0: for ever. Absent: a little longer than any may take under a role;
   *  what an owner does may take longer. */
  silenceSeconds?: number
}

const RECONNECT_AFTER_SECONDS = 0.2
const STATEMENT_SECONDS = 30

/** Opened with the first read of its database. */
const lanes = new WeakMap<Database, SharedReader>()
/** Opened when its database is first asked how it does. */
const probes = new WeakMap<Database, Database>()

/** Opens a pool; connects on first use. Close it with `end()`. */
export function openDatabase(options: DatabaseOptions): Database {
  const database = openPool(options)
  const lane = openSharedReader(openReadPool(options), (orgId) => `set ${wall(orgId)}`)
  lanes.set(database, lane)
  const probe = openPool({ ...options, pool: 1 })
  probes.set(database, probe)
  const end = database.end.bind(database)
  return Object.assign(database, {
    end: async (how?: { timeout?: number }) => void (await Promise.all([end(how), lane.end(), probe.end(how)])),
  })
}

/** The driver takes a session that does not write by default for a server that cannot: where the URL asks for one that can, the primary is it. */
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
  // Of our own making (hack/patch-packages.mjs): TCP alone notices a server that is gone without a word after a quarter of an hour.
  const patience: object = { silence_timeout: silenceSeconds }
  return postgres(url, {
    ...server,
    max: pool,
    // NOTE: only column names are camelised; the driver's plain `postgres.camel` would rewrite keys inside jsonb, which are the customer's labels.
    transform: { column: postgres.camel.column },
    // Sizes and counts stay far below 2^53; as numbers they need no conversion anywhere.
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    connect_timeout: 10,
    ...patience,
    idle_timeout: 300,
    // The driver counts each lost connection of the pool as one more try in vain: ten of them at once would be waited out for 20 s.
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

/** Runs `work` in a transaction that can see and write one organisation's rows only (row-level security). */
export async function inOrganisation<T>(database: Database, orgId: OrgId, work: (sql: Sql) => Promise<T>): Promise<T> {
  return transact(database, { begin: 'begin', first: `set local ${wall(orgId)}` }, work)
}

/** Reads within one organisation as it stood at one moment: what several statements answer fits together, whatever others commit meanwhile. */
export async function readInOrganisation<T>(database: Database, orgId: OrgId, work: (sql: Sql) => Promise<T>): Promise<T> {
  return transact(database, { begin: 'begin isolation level repeatable read read only', first: `set local ${wall(orgId)}` }, work)
}

/** The same for two statements that need nothing from each other, in a single round trip. */
export async function readTogether<First extends object, Second extends object>(
  database: Database,
  orgId: OrgId,
  ...statements: readonly [Statement<First>, Statement<Second>]
): Promise<[First[], Second[]]> {
  return pipelinedTransaction(
    database,
    { begin: 'begin isolation level repeatable read read only', first: `set local ${wall(orgId)}` },
    statements,
  )
}

/** Asks the database how it does, on a connection of its own: that all others are at work, or wait for a lock, says nothing of the server. */
export function probeOf(database: Database): Database {
  return probes.get(database) ?? database
}

/** Reads by one statement within one organisation, behind the same wall, on the connection that all such reads share. */
export async function askInOrganisation<Row extends object>(
  database: Database,
  orgId: OrgId,
  statement: Statement<Row>,
): Promise<Row[]> {
  const lane = lanes.get(database)
  if (!lane) return inOrganisation(database, orgId, statement)
  try {
    return await lane.ask(orgId, statement)
  } catch (error) {
    // A migration has changed what the prepared statement answers; the driver has forgotten it by now.
    if (isOutdatedPlan(error)) return lane.ask(orgId, statement)
    throw error
  }
}

/** Changes by one statement within one organisation what it answers: a transaction in a single round trip. */
export async function changeInOrganisation<Row extends object>(
  database: Database,
  orgId: OrgId,
  statement: Statement<Row>,
): Promise<Row[]> {
  return singleRoundTrip(database, { begin: 'begin', first: `set local ${wall(orgId)}` }, statement)
}

/** Runs `work` in a transaction across organisations; only pools of the system role see anything there. */
export async function inTransaction<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return transact(database, { begin: 'begin' }, work)
}

/** Reads across organisations as they stood at one moment, for as long as it takes; only for pools of the system role and for work that streams. */
export async function inSnapshot<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  const opening = { begin: 'begin isolation level repeatable read read only', first: 'set local statement_timeout = 0' } as const
  return transact(database, opening, work)
}

/** What row-level security goes by. */
function wall(orgId: OrgId): string {
  return `sealwright.org_id = '${OrgId.parse(orgId)}'`
}
