// Dates as seals show them: unambiguous in every country, and in UTC wherever the signer was.
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const SHORT_LETTERS = 3

/** For example "24 November 2026, 21:04 UTC", or "24 Nov 2026, 21:04 UTC" where there is little room. */
export function readableDate(date: Date, short: boolean): string {
  const month = MONTHS[date.getUTCMonth()] ?? ''
  const time = [date.getUTCHours(), date.getUTCMinutes()].map((number) => String(number).padStart(2, '0')).join(':')
  return `${date.getUTCDate()} ${short ? month.slice(0, SHORT_LETTERS) : month} ${date.getUTCFullYear()}, ${time} UTC`
}
