// `envelope.completed` waits for the sealed copies, so that receivers can fetch them at once; after a time limit it is released without them.
import type { Core } from '#core/context.ts'
import { COMPLETED_EVENT_HOLD_SECONDS } from '#core/limits.ts'
import { eventsReleasedUnsealed } from '#core/platform/metrics/metrics.ts'
import { releaseOverdueEvents } from './store.ts'

const BATCH = 500

/** Releases one batch of events that were held too long, and logs each; returns how many. Needs a database of the system role. */
export async function releaseOverdue({ database, log }: Pick<Core, 'database' | 'log'>): Promise<number> {
  const released = await releaseOverdueEvents(database, COMPLETED_EVENT_HOLD_SECONDS, BATCH)
  eventsReleasedUnsealed.inc(released.length)
  for (const { orgId, envelopeId, id } of released) log.error({ orgId, envelopeId, eventId: id }, 'event.released_unsealed')
  return released.length
}
