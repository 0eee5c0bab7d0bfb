// The quotas of an organisation, by the name of their dimension. 0 switches one off.
export const QUOTA_WINDOWS = {
  ENVELOPES_SENT_PER_DAY: 'day',
  EMAILS_PER_HOUR: 'hour',
} as const

/** The rate that counts an organisation's requests, by its name in the RateLimit headers. */
export const API_REQUESTS = 'requests'

export type WindowDimension = keyof typeof QUOTA_WINDOWS
