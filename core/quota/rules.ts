// The quotas of an organisation, by the name of their dimension. 0 switches one off.
export const QUOTA_WINDOWS = {
  ENVELOPES_SENT_PER_DAY: 'day',
  EMAILS_PER_HOUR: 'hour',
} as const

/** The rate that counts an organisation's requests, by its name in the RateLimit headers. */
export const API_REQUESTS = 'requests'

/** In UTC, where every day has its 24 hours. */
export const SECONDS_OF_WINDOW = { day: 86_400, hour: 3_600 } as const

export type WindowDimension = keyof typeof QUOTA_WINDOWS

/** True when `used` units, the new ones among them, are within the limit. */
export function fits(limit: number, used: number): boolean {
  return limit === 0 || used <= limit
}
