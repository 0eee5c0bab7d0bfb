// Times in mails: written out, in UTC and saying so, because the reader's time zone is not known. Without Intl, which takes every process that may send
// a mail 20 ms of its start.

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** As in `24 November 2026, 14:05 UTC`. */
export function toReadableTime(time: Date): string {
  const clock = time.toISOString().slice(11, 16)
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} UTC`
}
