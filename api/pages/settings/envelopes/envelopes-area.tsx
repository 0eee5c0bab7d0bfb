// The envelopes a person can see, newest first, in pages.
import { ActionButton } from '../../components/action-button.tsx'
import type { Envelope, EnvelopePage } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useResource } from '../data/use-resource.ts'
import { Area } from '../frame/area.tsx'
import { Moment } from '../frame/moment.tsx'
import { EmptyState } from '../frame/parts.tsx'
import { formatNumber } from '../locales/format.ts'
import { texts } from '../locales/texts.ts'
import { ALL_ENVELOPES, type EnvelopeListQuery } from '../routing/place.ts'
import { PlaceLink } from '../routing/place-link.tsx'
import { goTo } from '../routing/use-place.ts'
import { useIsAdmin } from '../session/session-context.ts'
import { EnvelopeFilter } from './envelope-filter.tsx'
import { envelopeListPath, rangeOf } from './envelope-search.ts'
import { EnvelopeStatusPill } from './envelope-status-pill.tsx'

export function EnvelopesArea({ query }: { query: EnvelopeListQuery }) {
  const envelopes = useResource<EnvelopePage>(envelopeListPath(query))
  return (
    <Area title={texts.envelopes.title} lead={texts.envelopes.lead}>
      <EnvelopeFilter query={query} />
      <ResourceView resource={envelopes} lines={8}>
        {(page) => (page.content.length > 0 ? <EnvelopePage page={page} query={query} /> : <NoEnvelopes query={query} />)}
      </ResourceView>
    </Area>
  )
}

function EnvelopePage({ page, query }: { page: EnvelopePage; query: EnvelopeListQuery }) {
  return (
    <>
      <ul className="rows">
        {page.content.map((envelope) => (
          <li key={envelope.id}>
            <EnvelopeRow envelope={envelope} />
          </li>
        ))}
      </ul>
      <Pages page={page} query={query} />
    </>
  )
}

function EnvelopeRow({ envelope }: { envelope: Envelope }) {
  const signed = envelope.signers.filter((signer) => signer.status === 'SIGNED').length
  return (
    <PlaceLink className="row row-link row-envelope" to={{ area: 'envelope', id: envelope.id }}>
      <span className="row-main">
        <span className="row-title">{envelope.title}</span>
        <span className="row-line">
          {[envelope.signers.map((signer) => signer.name).join(', '), envelope.workspaceName].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="row-state">
        <EnvelopeStatusPill status={envelope.status} />
      </span>
      <span className="row-line">{texts.envelopes.signedOf(signed, envelope.signers.length)}</span>
      <span className="row-end row-line">
        <Moment at={envelope.createdAt} as="distance" />
      </span>
    </PlaceLink>
  )
}

function Pages({ page, query }: { page: EnvelopePage; query: EnvelopeListQuery }) {
  const { first, last } = rangeOf(page)
  const total = page.totalCapped ? texts.envelopes.moreThan(page.totalElements) : formatNumber(page.totalElements)
  const show = (index: number) => goTo({ area: 'envelopes', query: { ...query, page: index } })
  return (
    <nav className="pages" aria-label={texts.envelopes.pages}>
      <p className="muted" role="status">
        {texts.envelopes.range(first, last, total)}
      </p>
      {page.totalPages > 1 && (
        <div className="button-row">
          <ActionButton look="secondary" isDisabled={page.page === 0} onPress={() => show(page.page - 1)}>
            {texts.envelopes.previous}
          </ActionButton>
          <ActionButton look="secondary" isDisabled={page.page + 1 >= page.totalPages} onPress={() => show(page.page + 1)}>
            {texts.envelopes.next}
          </ActionButton>
        </div>
      )}
    </nav>
  )
}

function NoEnvelopes({ query }: { query: EnvelopeListQuery }) {
  const isAdmin = useIsAdmin()
  if (query.title || query.status || query.workspaceId || query.page > 0)
    return (
      <EmptyState title={texts.envelopes.noMatchTitle} body={texts.envelopes.noMatchBody}>
        <ActionButton look="secondary" onPress={() => goTo({ area: 'envelopes', query: ALL_ENVELOPES }, 'replace')}>
          {texts.envelopes.clearFilter}
        </ActionButton>
      </EmptyState>
    )
  return (
    <EmptyState title={texts.envelopes.emptyTitle} body={texts.envelopes.emptyBody}>
      {isAdmin && (
        <PlaceLink className="button button-secondary" to={{ area: 'new-credential' }}>
          {texts.envelopes.toCredentials}
        </PlaceLink>
      )}
    </EmptyState>
  )
}
