// Dates of PDF (ISO 32000-2, 7.9.4): D:YYYYMMDDHHmmSSOHH'mm, where everything behind the year may be left out.

const DATE = /^D:(\d{4}(?:\d\d){0,5})(?:Z(?:00'?(?:00'?)?)?|([+-]\d\d)'?(?:(\d\d)'?)?)?$/
const FIRST_MOMENT = '00000101000000'

/** The moment that a date string names; one without a zone counts as UTC. Undefined when it is no date or no day of the calendar. */
export function parsePdfDate(text: string): Date | undefined {
  const [, digits, zoneHours = '+00', zoneMinutes = '00'] = DATE.exec(text) ?? []
  if (digits === undefined) return undefined
  const full = digits + FIRST_MOMENT.slice(digits.length)
  const local = full.replace(/(.{4})(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6')
  const moment = new Date(`${local}${zoneHours}:${zoneMinutes}`)
  const utc = new Date(`${local}Z`)
  if (Number.isNaN(moment.getTime()) || Number.isNaN(utc.getTime())) return undefined
  // Date carries over what is out of range: the 31st of February would be a day of March.
  return utc.toISOString().startsWith(local) ? moment : undefined
}
