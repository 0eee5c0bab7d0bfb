// What a rate is and how many of its permits a process takes at a time. Pure.

/** A token bucket: holds `burst` permits and refills with `perMinute`. 0 a minute switches it off. */
export interface Rate {
  /** Names the policy in the RateLimit headers and, with whom it counts, the bucket. */
  name: string
  perMinute: number
  burst: number
}

/** No process takes more than this part of what is left, so that the last permits are shared out one by one. */
const LARGEST_PART = 1 / 8
/** Enough that counting is no cost, few enough that a process that dies takes little with it. */
const MOST_PERMITS = 500

/** The request quota of an organisation: a fifth of it at once. Decisions, "Smaller points". */
export function quotaRate(name: string, perMinute: number): Rate {
  return { name, perMinute, burst: Math.ceil(perMinute / 5) }
}

/** Every other rate: a minute's worth at once. */
export function plainRate(name: string, perMinute: number): Rate {
  return { name, perMinute, burst: perMinute }
}

/** Seconds until an empty bucket has its next permit, 1 at least. */
export function secondsPerPermit({ perMinute }: Rate): number {
  return Math.max(1, Math.ceil(60 / perMinute))
}

/** The lot of permits that a process took last. */
export interface Batch {
  taken: number
  unused: number
  /** Whether its time is not over yet. */
  fresh: boolean
}

/** How many permits to take next: as many as are waited for or were used of the last lot, twice as many when it did not last for its time. */
export function nextBatch({ taken, unused, fresh }: Batch, remaining: number, waiting: number): number {
  const expected = fresh ? taken * 2 : taken - unused
  return Math.max(waiting, Math.min(expected, Math.floor(remaining * LARGEST_PART), MOST_PERMITS))
}
