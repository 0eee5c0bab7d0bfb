// The driver's types that the rest of the code uses.
import type postgres from 'postgres'

type Types = { int8: number }

export type Database = postgres.Sql<Types>
/** A pool or a transaction: the first parameter of every store function. */
export type Sql = postgres.ISql<Types>
/** One statement that has not been sent yet. */
export type Statement<Row extends object> = (sql: Sql) => postgres.PendingQuery<Row[]>
/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>
