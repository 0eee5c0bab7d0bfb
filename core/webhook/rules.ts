// When deliveries are tried again, when a webhook is disabled, and what a change of it changes.

export type Origin = 'API' | 'KUBERNETES'
export const DISABLED_REASONS = ['BY_ADMIN', 'AUTOMATIC', 'SUSPENDED'] as const
/** Who votes against a webhook: an admin in the panel, the workers after several deliveries in a row that used up their retries, `suspend` in Kubernetes. */
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** It gets events only without any of these votes. Each has its own writer, and none changes another; but an admin who enables it ends `AUTOMATIC` too. */
export interface Votes {
  disabledByAdmin: boolean
  suspended: boolean
  disabledAutomatically: boolean
}

/** Whether it is probed regularly: nothing else is against it. */
export function isProbed({ disabledByAdmin, suspended, disabledAutomatically }: Votes): boolean {
  return disabledAutomatically && !disabledByAdmin && !suspended
}

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

export interface WebhookChange {
  url?: string | undefined
  description?: string | undefined
  eventTypes?: readonly string[] | undefined
}

/** The names of the fields whose values differ. */
export function changedFields(
  before: { url: string; description: string; eventTypes: readonly string[] },
  { url = before.url, description = before.description, eventTypes = before.eventTypes }: WebhookChange,
): string[] {
  return [
    ...(url === before.url ? [] : ['url']),
    ...(description === before.description ? [] : ['description']),
    ...(eventTypes.join() === before.eventTypes.join() ? [] : ['eventTypes']),
  ]
}

/** The id of the envelope in synthetic events, by which receivers can tell them. */
export const TEST_ENVELOPE_ID = '00000000-0000-0000-0000-000000000000'
