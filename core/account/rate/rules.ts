// Rates, and how many tokens a process takes at a time. Pure.

/** A token bucket: holds `burst` tokens and refills with `perMinute`. 0 per minute switches it off. */
export interface Rate {
  /** The policy's name in the RateLimit headers; with the subject, the bucket's key. */
  name: string
  perMinute: number
  burst: number
}

/** The largest part of the remaining tokens for one process, so that the last ones are shared. */
const LARGEST_PART = 1 / 8
/** Enough to make counting cheap, few enough that a crash loses little. */
const MOST_TOKENS = 500

/** The request quota of an organisation: a fifth of it at once. Decisions, "Smaller points". */
export function quotaRate(name: string, perMinute: number): Rate {
  return { name, perMinute, burst: Math.ceil(perMinute / 5) }
}

/** Every other rate: a minute's worth at once. */
export function plainRate(name: string, perMinute: number): Rate {
  return { name, perMinute, burst: perMinute }
}

/** Seconds until an empty bucket has its next token, at least 1. */
export function secondsPerToken({ perMinute }: Rate): number {
  return Math.max(1, Math.ceil(60 / perMinute))
}

/** The last batch of tokens that a process took. */
export interface Batch {
  taken: number
  unused: number
  /** Whether it has not expired yet. */
  fresh: boolean
}

/** How many tokens to take next: as many as callers wait for or were used of the last batch; twice as many when it was used up before its time. */
export function nextBatch({ taken, unused, fresh }: Batch, remaining: number, waiting: number): number {
  const expected = fresh ? taken * 2 : taken - unused
  return Math.max(waiting, Math.min(expected, Math.floor(remaining * LARGEST_PART), MOST_TOKENS))
}
