// Days that are the same in every time zone.

/** The day, such as 2026-10-01, in full. */
export function calendarDay(day: string, language: 'en-GB' | 'de-DE'): string {
  return new Date(day).toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' })
}
