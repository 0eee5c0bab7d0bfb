// How the deliveries of a webhook ended in each of the last 24 hours.
import type { WebhookId } from '#core/ids.ts'
import type { HourRow } from './health-store.ts'

const HOURS = 24

export interface HourOfDeliveries {
  delivered: number
  /** Given up, rejected so far, or without a body. */
  failed: number
}

/** 24 hours, oldest first. */
export function lastDayOf(webhookId: WebhookId, rows: readonly HourRow[]): HourOfDeliveries[] {
  const own = rows.filter((row) => row.webhookId === webhookId)
  return Array.from({ length: HOURS }, (_, index) => {
    const hour = own.find(({ hoursAgo }) => hoursAgo === HOURS - 1 - index)
    return { delivered: hour?.delivered ?? 0, failed: hour?.failed ?? 0 }
  })
}
