// The deliveries of the last 24 hours as the bars of a chart. Pure.
import type { ListedWebhook } from '../data/records.ts'

export type Hours = ListedWebhook['lastDay']

export interface Bar {
  /** Parts of the highest bar, 0 to 1. */
  delivered: number
  failed: number
}

/** Hours with failures show at least this part of them, beside many deliveries too. */
const LEAST = 0.12

/** One bar for each hour, in proportion to the busiest. */
export function barsOf(hours: Hours): Bar[] {
  const most = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed))
  return hours.map((hour) => {
    const failed = hour.failed === 0 ? 0 : Math.max(LEAST, hour.failed / most)
    const delivered = hour.delivered === 0 ? 0 : Math.max(LEAST, hour.delivered / most)
    const scale = 1 / Math.max(1, failed + delivered)
    return { delivered: delivered * scale, failed: failed * scale }
  })
}

/** The sums of the day. */
export function totalOf(hours: Hours): { delivered: number; failed: number } {
  return {
    delivered: hours.reduce((sum, hour) => sum + hour.delivered, 0),
    failed: hours.reduce((sum, hour) => sum + hour.failed, 0),
  }
}
