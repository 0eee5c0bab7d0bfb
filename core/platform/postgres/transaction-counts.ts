// How many transactions this process has: plain numbers, which the metrics read, so that the Postgres code does not depend on metrics.

/** `waiting` for a connection of the pool, `open` on one. */
export const transactionCounts = { waiting: 0, open: 0 }
