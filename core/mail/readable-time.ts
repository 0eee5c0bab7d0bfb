// Times in emails, in UTC because the reader's time zone is not known. Without Intl, which would add 20 ms to the start of the mail worker.
import type { Locale } from '#core/platform/text/locale.ts'

const MONTHS: Readonly<Record<Locale, readonly string[]>> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
}
const DAY_ENDS: Readonly<Record<Locale, string>> = { en: '', de: '.' }

/** Formats a time as `24 November 2026, 14:05 UTC`. */
export function toReadableTime(time: Date, language: Locale): string {
  const clock = time.toISOString().slice(11, 16)
  const month = MONTHS[language][time.getUTCMonth()]
  return `${time.getUTCDate()}${DAY_ENDS[language]} ${month} ${time.getUTCFullYear()}, ${clock} UTC`
}
