// What the rest of the code knows of the driver: a pool, and what runs a statement.
import type postgres from 'postgres'

type Types = { int8: number }

export type Database = postgres.Sql<Types>
/** A pool or a transaction: what every store function takes. */
export type Sql = postgres.ISql<Types>
/** One statement, not on its way yet. */
export type Statement<Row extends object> = (sql: Sql) => postgres.PendingQuery<Row[]>
/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>
