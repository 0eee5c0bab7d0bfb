// What an envelope's audit trail says about its documents. Pure.
import type { AuditEvent } from '../data/records.ts'

type Events = readonly Pick<AuditEvent, 'action'>[]

/** Whether the documents are on hold: the last entry about it counts. */
export function isHeld(events: Events): boolean {
  return events.findLast(({ action }) => action.startsWith('legal_hold.'))?.action === 'legal_hold.set'
}

/** Whether the documents were deleted at the end of the retention period. */
export function isArchived(events: Events): boolean {
  return events.some(({ action }) => action === 'envelope.archived')
}
