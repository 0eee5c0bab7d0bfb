// How many deliveries wait in the process beyond those that may be open, so that a place that becomes free is taken without a claim. It begins with none and
// doubles while all are sent before the next claim: only deliveries to receivers that answer quickly wait here.

/** What a webhook or an organisation may have open and lease. */
export interface Limited {
  mayOpen: number
  open: number
  /** Leased and not ended. */
  leased: number
  ahead: number
  /** The last claim leased all that it was allowed to. */
  wasFull: boolean
}

const FIRST = 4

/** Nothing is known of it yet. */
export function newLimited(): Limited {
  return { mayOpen: 0, open: 0, leased: 0, ahead: 0, wasFull: false }
}

/** Before a claim: `waiting` of them have not been sent since the last one. */
export function growAhead(limited: Limited, waiting: number, most: number): void {
  if (limited.wasFull && waiting <= limited.ahead / 2) limited.ahead = Math.min(most, Math.max(FIRST, limited.ahead * 2))
}

/** After a claim. */
export function noteFull(limited: Limited): void {
  limited.wasFull = limited.leased >= limited.mayOpen + limited.ahead
}
