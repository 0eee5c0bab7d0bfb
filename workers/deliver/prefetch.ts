// How many deliveries wait in the process beyond those that may be open, so that a place that becomes free is taken without a claim. It begins with none and
// doubles while all are sent before the next claim: only deliveries to receivers that answer quickly wait here.

/** What a webhook or an organisation may have open and lease. */
export interface Limited {
  mayOpen: number
  open: number
  /** Leased and not ended. */
  leased: number
  prefetch: number
  /** The last claim leased all that it was allowed to. */
  wasFull: boolean
}

const FIRST = 4

/** The state before the first claim. */
export function newLimited(): Limited {
  return { mayOpen: 0, open: 0, leased: 0, prefetch: 0, wasFull: false }
}

/** Doubles the number before a claim; `waiting` of them have not been sent since the last one. */
export function growPrefetch(limited: Limited, waiting: number, most: number): void {
  if (limited.wasFull && waiting <= limited.prefetch / 2) limited.prefetch = Math.min(most, Math.max(FIRST, limited.prefetch * 2))
}

/** Records after a claim whether it leased all that it was allowed to. */
export function recordClaim(limited: Limited): void {
  limited.wasFull = limited.leased >= limited.mayOpen + limited.prefetch
}
