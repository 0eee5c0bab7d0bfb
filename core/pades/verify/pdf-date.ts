// PDF dates (ISO 32000-2, 7.9.4): D:YYYYMMDDHHmmSSOHH'mm, where everything after the year is optional.

const DATE = /^D:(\d{4}(?:\d\d){0,5})(?:Z(?:00'?(?:00'?)?)?|([+-]\d\d)'?(?:(\d\d)'?)?)?$/
const FIRST_MOMENT = '00000101000000'

/** Parses a date string; UTC without a zone. Undefined for a malformed or impossible date. */
export function parsePdfDate(text: string): Date | undefined {
  const [, digits, zoneHours = '+00', zoneMinutes = '00'] = DATE.exec(text) ?? []
  if (digits === undefined) return undefined
  const full = digits + FIRST_MOMENT.slice(digits.length)
  const local = full.replace(/(.{4})(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6')
  const moment = new Date(`${local}${zoneHours}:${zoneMinutes}`)
  const utc = new Date(`${local}Z`)
  if (Number.isNaN(moment.getTime()) || Number.isNaN(utc.getTime())) return undefined
  // Date normalises out-of-range values: the 31st of February would become a day in March.
  return utc.toISOString().startsWith(local) ? moment : undefined
}
