// When deliveries are tried again, and when a webhook is disabled.

export type Origin = 'API' | 'KUBERNETES'
export const DISABLED_REASONS = ['BY_ADMIN', 'AUTOMATIC', 'SUSPENDED'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** WAITING: not tried yet. REJECTED: failed, retries remain. NOT_BUILT: its event has no body. */
export const DELIVERY_STATUSES = ['WAITING', 'REJECTED', 'DELIVERED', 'GAVE_UP', 'NOT_SENT', 'NOT_BUILT'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Seconds until the next attempt after `failures` failed ones; undefined when the retries are used up. */
export function nextDelaySeconds(retryDelaysSeconds: readonly number[], failures: number): number | undefined {
  return retryDelaysSeconds[failures - 1]
}

/** True when this many deliveries in a row have used up their retries. */
export function mustDisable(consecutiveExhausted: number, disableAfter: number): boolean {
  return consecutiveExhausted >= disableAfter
}

/** The id of the envelope in synthetic events, by which receivers can tell them. */
export const TEST_ENVELOPE_ID = '00000000-0000-0000-0000-000000000000'
