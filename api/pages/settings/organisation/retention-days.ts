// Parses the retention period in days, with the same range as the service.
export const MIN_RETENTION_DAYS = 30
export const MAX_RETENTION_DAYS = 3_650

/** The days, null for an empty field (the installation's default), undefined for invalid input. */
export function readRetentionDays(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  const days = /^\d{1,4}$/.test(typed) ? Number(typed) : undefined
  return days !== undefined && days >= MIN_RETENTION_DAYS && days <= MAX_RETENTION_DAYS ? days : undefined
}
