// The three times of leader election, which only work in this order.
import type { Settings } from './settings.ts'

type LeaseTimes = Pick<Settings, 'leaseDurationSeconds' | 'leaseRenewDeadlineSeconds' | 'leaseRetryPeriodSeconds'>

/** One sentence if a leader could still lead when another process may take over, or could not try a second time. */
export function leaseErrors({
  leaseDurationSeconds: duration = NaN,
  leaseRenewDeadlineSeconds: deadline = NaN,
  leaseRetryPeriodSeconds: retry = NaN,
}: Partial<LeaseTimes>): string[] {
  const order = 'SEALWRIGHT_LEASE_RETRY_PERIOD must be shorter than SEALWRIGHT_LEASE_RENEW_DEADLINE'
  const isOutOfOrder = deadline >= duration || retry >= deadline
  return isOutOfOrder ? [`${order}, and that shorter than SEALWRIGHT_LEASE_DURATION.`] : []
}
