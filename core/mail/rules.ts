// The back-off of emails.
const FIRST_DELAY_SECONDS = 5
const LONGEST_DELAY_SECONDS = 3_600
/** Shorter, because the end of an outage releases every email at once. */
const LONGEST_OUTAGE_DELAY_SECONDS = 300

/** Seconds until the next attempt of an email that has failed `earlier` times before. */
export function mailBackoffSeconds(earlier: number, isTransient: boolean): number {
  return Math.min(FIRST_DELAY_SECONDS * 2 ** earlier, isTransient ? LONGEST_OUTAGE_DELAY_SECONDS : LONGEST_DELAY_SECONDS)
}
