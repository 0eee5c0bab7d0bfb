// Times in mails: written out, in UTC and saying so, because the reader's time zone is not known.

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** As in `24 November 2026, 14:05 UTC`. */
export function toReadableTime(time: Date): string {
  return `${FORMAT.format(time).replace(' at ', ', ')} UTC`
}
