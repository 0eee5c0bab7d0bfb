// What the history of an envelope says about its documents. Pure.
import type { AuditEvent } from '../data/records.ts'

type Events = readonly Pick<AuditEvent, 'action'>[]

/** Kept beyond the retention time: the last word about it counts. */
export function isHeld(events: Events): boolean {
  return events.findLast(({ action }) => action.startsWith('legal_hold.'))?.action === 'legal_hold.set'
}

/** Removed at the end of the retention time, for good. */
export function isArchived(events: Events): boolean {
  return events.some(({ action }) => action === 'envelope.archived')
}
