// How many transactions this process has: plain numbers, because whoever reads metrics asks for them and the driver's side should know of none.

/** `waiting` for a connection of their pool, `open` on one. */
export const transactionCounts = { waiting: 0, open: 0 }
