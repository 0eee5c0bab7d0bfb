// The quotas of an organisation, by dimension. 0 switches one off.
export const QUOTA_WINDOWS = {
  ENVELOPES_SENT_PER_DAY: 'day',
  EMAILS_PER_HOUR: 'hour',
} as const

/** The rate that counts an organisation's requests, by its name in the RateLimit headers. */
export const API_REQUESTS = 'requests'

/** Length of a window, for quotas whose room comes back with time. */
export const WINDOW_SECONDS: Partial<Record<string, number>> = { ENVELOPES_SENT_PER_DAY: 86_400, EMAILS_PER_HOUR: 3_600 }

export type WindowDimension = keyof typeof QUOTA_WINDOWS
