// The days for which sealed documents are kept, as typed. The same range as the service's.
export const MIN_RETENTION_DAYS = 30
export const MAX_RETENTION_DAYS = 3_650

/** The days, null for an empty field (as the installation is set), undefined for what is neither. */
export function readRetentionDays(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  const days = /^\d{1,4}$/.test(typed) ? Number(typed) : undefined
  return days !== undefined && days >= MIN_RETENTION_DAYS && days <= MAX_RETENTION_DAYS ? days : undefined
}
