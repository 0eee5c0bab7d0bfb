// The number of envelopes by status, each linked to the filtered list.
import { ENVELOPE_STATUSES, type EnvelopeStats, type EnvelopeStatus } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useResource } from '../data/use-resource.ts'
import { formatNumber } from '../locales/format.ts'
import { texts } from '../locales/texts.ts'
import { ALL_ENVELOPES } from '../routing/place.ts'
import { PlaceLink } from '../routing/place-link.tsx'

const COUNTERS = {
  DRAFT: 'draft',
  SENT: 'sent',
  IN_PROGRESS: 'inProgress',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const satisfies Record<EnvelopeStatus, keyof EnvelopeStats>

export function EnvelopeCounts() {
  const stats = useResource<EnvelopeStats>('/envelopes/stats')
  return (
    <section aria-labelledby="envelope-counts">
      <h2 id="envelope-counts" className="visually-hidden">
        {texts.overview.envelopes}
      </h2>
      <ResourceView resource={stats} lines={1}>
        {(counts) => (
          <ul className="tiles">
            {ENVELOPE_STATUSES.map((status) => (
              <li key={status}>
                <PlaceLink
                  className={`tile tile-${status.toLowerCase()}`}
                  to={{ area: 'envelopes', query: { ...ALL_ENVELOPES, status } }}
                >
                  <span className="tile-count">{formatNumber(counts[COUNTERS[status]])}</span>
                  <span className="tile-name">{texts.envelopes.statuses[status]}</span>
                </PlaceLink>
              </li>
            ))}
          </ul>
        )}
      </ResourceView>
    </section>
  )
}
