// Whether the documents of an envelope are held, read from its history: the last word counts. Pure.
import type { AuditEvent } from '../data/records.ts'

export function isHeld(events: readonly Pick<AuditEvent, 'action'>[]): boolean {
  return events.findLast(({ action }) => action.startsWith('legal_hold.'))?.action === 'legal_hold.set'
}
