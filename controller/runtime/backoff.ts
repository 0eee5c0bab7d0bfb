// How long to wait before the next try.

export interface BackoffLimits {
  firstMs: number
  longestMs: number
}

/** The share of a delay that is random, so that replicas do not retry at the same moment. */
const JITTER = 0.25

/** The delay after this many failures in a row: doubles from the first to the longest, plus up to a quarter. */
export function backoffMs(failures: number, { firstMs, longestMs }: BackoffLimits, random: () => number): number {
  // 2^30 is beyond every limit; larger exponents would lose precision.
  const doubled = firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30)
  return jittered(Math.min(doubled, longestMs), random)
}

/** The delay plus up to a quarter. */
export function jittered(ms: number, random: () => number): number {
  return ms * (1 + JITTER * random())
}
