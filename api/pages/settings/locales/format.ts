// Times, sizes and numbers in the visitor's own format.
import { language } from '../../locales/texts.ts'
import { texts } from './texts.ts'

const locales = navigator.languages.slice()

const MINUTE_MS = 60_000
const UNITS = [
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
] as const
const RELATIVE_LIMIT_MS = 30 * 24 * 60 * MINUTE_MS

/** The date. */
export function formatDay(isoTime: string): string {
  return new Intl.DateTimeFormat(locales, { dateStyle: 'medium' }).format(new Date(isoTime))
}

/** Date and time to the minute. */
export function formatMoment(isoTime: string): string {
  return new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(isoTime))
}

/** Date and time to the second with the time zone, as evidence. */
export function formatExactly(isoTime: string): string {
  return new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(isoTime))
}

/** The time relative to now in the page's language; the date when it is more than 30 days away. */
export function formatDistance(isoTime: string, nowMs: number): string {
  const distanceMs = new Date(isoTime).getTime() - nowMs
  if (Math.abs(distanceMs) > RELATIVE_LIMIT_MS) return formatDay(isoTime)
  if (distanceMs <= 0 && distanceMs > -MINUTE_MS) return texts.words.justNow
  const [unit, unitMs] = UNITS.find(([, each]) => Math.abs(distanceMs) >= each) ?? UNITS[2]
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(distanceMs / unitMs), unit)
}

/** Bytes in the largest unit that leaves a number of at least 1; powers of 1024, as the quotas are set. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const digits = power === 0 ? 0 : 1
  return `${formatNumber(bytes / 1024 ** power, digits)} ${units[power]}`
}

export function formatNumber(value: number, digits = 0): string {
  return new Intl.NumberFormat(locales, { maximumFractionDigits: digits }).format(value)
}

/** A duration in milliseconds below a second, in seconds above. */
export function formatDuration(durationMs: number): string {
  return durationMs < 1000 ? `${formatNumber(durationMs)} ms` : `${formatNumber(durationMs / 1000, 1)} s`
}
