// Times in emails, in UTC because the reader's time zone is not known. Without Intl, which would add 20 ms to the start of the mail worker.

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Formats a time as `24 November 2026, 14:05 UTC`. */
export function toReadableTime(time: Date): string {
  const clock = time.toISOString().slice(11, 16)
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} UTC`
}
