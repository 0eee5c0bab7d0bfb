// Formats times and sizes for a report. Times are in UTC and say so, because a report is read in any time zone.

/** `2026-11-21 14:05:07 UTC` */
export function readableTime(time: Date | string): string {
  const [date, clock] = splitTime(typeof time === 'string' ? time : time.toISOString())
  return `${date} ${clock.slice(0, 8)} UTC`
}

/** Date and time of day of an ISO 8601 time in UTC, in its own precision. */
export function splitTime(time: string): [string, string] {
  const [date = '', clock = ''] = time.replace(/Z$/, '').split('T')
  return [date, clock]
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const

/** Formats a size in the largest unit with a value of at least 1. */
export function readableSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power] ?? ''}`
}
