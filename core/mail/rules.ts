// How a mail is tried again.
const FIRST_DELAY_SECONDS = 5
const LONGEST_DELAY_SECONDS = 3_600
/** Shorter, because the end of an outage frees every mail at once. */
const LONGEST_OUTAGE_DELAY_SECONDS = 300

/** Seconds until the next attempt to send a mail that has failed `earlier` times before. */
export function mailBackoffSeconds(earlier: number, isTransient: boolean): number {
  return Math.min(FIRST_DELAY_SECONDS * 2 ** earlier, isTransient ? LONGEST_OUTAGE_DELAY_SECONDS : LONGEST_DELAY_SECONDS)
}
