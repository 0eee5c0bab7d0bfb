// The retry delay of a seal.
const FIRST_DELAY_SECONDS = 10
/** Each failure multiplies the delay. */
const DELAY_GROWTH = 6
const OUTAGE_DELAY_SECONDS = 15

/** Seconds until the next attempt to seal an envelope that has failed `earlier` times. */
export function sealBackoffSeconds(earlier: number, isTransient: boolean): number {
  return isTransient ? OUTAGE_DELAY_SECONDS : FIRST_DELAY_SECONDS * DELAY_GROWTH ** earlier
}
