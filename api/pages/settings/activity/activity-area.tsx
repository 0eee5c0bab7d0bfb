// Changes made in these settings, by the operator on the command line and in Kubernetes, newest first.
import { ActionButton } from '../../components/action-button.tsx'
import type { ActivityPage, Credential, Workspace } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { type Resource, useResource } from '../data/use-resource.ts'
import { Area } from '../frame/area.tsx'
import { EmptyState } from '../frame/parts.tsx'
import { formatExactly } from '../locales/format.ts'
import { texts } from '../locales/texts.ts'
import { goTo } from '../routing/use-place.ts'
import { type ActivityNames, activitySentence } from './activity-step.ts'

const PAGE_SIZE = 50

export function ActivityArea({ page }: { page: number }) {
  const activities = useResource<ActivityPage>(`/activity?page=${page}&size=${PAGE_SIZE}`)
  const names = useNames()
  return (
    <Area title={texts.activity.title} lead={texts.activity.lead}>
      <ResourceView resource={activities} lines={8}>
        {(loaded) => (
          <>
            {loaded.content.length === 0 && <EmptyState title={texts.activity.emptyTitle} />}
            <div className="sheet">
              <ol className="trail">
                {loaded.content.map((activity) => (
                  <li key={activity.id} className="trail-step">
                    <p>{activitySentence(activity, names, texts.activity)}</p>
                    <p className="hint">
                      <time dateTime={activity.at}>{formatExactly(activity.at)}</time>
                      {activity.address && <> {texts.audit.from(activity.address)}</>}
                    </p>
                  </li>
                ))}
              </ol>
            </div>
            {loaded.totalPages > 1 && <Turn page={page} last={loaded.totalPages - 1} />}
          </>
        )}
      </ResourceView>
    </Area>
  )
}

function Turn({ page, last }: { page: number; last: number }) {
  return (
    <nav className="button-row" aria-label={texts.envelopes.pages}>
      <ActionButton look="secondary" isDisabled={page === 0} onPress={() => goTo({ area: 'activity', page: page - 1 })}>
        {texts.envelopes.previous}
      </ActionButton>
      <ActionButton look="secondary" isDisabled={page >= last} onPress={() => goTo({ area: 'activity', page: page + 1 })}>
        {texts.envelopes.next}
      </ActionButton>
    </nav>
  )
}

/** Current names by ID; the list is readable without them. */
function useNames(): ActivityNames {
  const credentials = useResource<Credential[]>('/credentials')
  const workspaces = useResource<Workspace[]>('/workspaces')
  const known: { id: string; name: string }[] = [...listOf(credentials), ...listOf(workspaces)]
  return Object.fromEntries(known.map(({ id, name }) => [id, name]))
}

function listOf<Item>({ loaded }: Resource<Item[]>): readonly Item[] {
  return loaded.phase === 'ready' ? loaded.value : []
}
