// The counters of envelopes, as answers hold them.
import type { EnvelopeCounts } from '#core/envelope/count-envelopes.ts'
import type { EnvelopeStatsResponse } from '../schemas/envelope-stats.ts'

export function toEnvelopeStatsResponse(counts: EnvelopeCounts): EnvelopeStatsResponse {
  return {
    draft: counts.DRAFT,
    sent: counts.SENT,
    inProgress: counts.IN_PROGRESS,
    completed: counts.COMPLETED,
    cancelled: counts.CANCELLED,
    expired: counts.EXPIRED,
    total: counts.total,
  }
}
