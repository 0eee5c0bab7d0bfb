// The numbers of credentials, webhooks, workspaces and people, linked to their areas.
import type { Credential, ListedWebhook, Person, Workspace } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { type Resource, useResource } from '../data/use-resource.ts'
import { Section } from '../frame/area.tsx'
import { texts } from '../locales/texts.ts'
import type { Place } from '../routing/place.ts'
import { PlaceLink } from '../routing/place-link.tsx'

export function AccessCounts() {
  const credentials = useResource<Credential[]>('/credentials')
  const webhooks = useResource<ListedWebhook[]>('/webhooks')
  const workspaces = useResource<Workspace[]>('/workspaces')
  const people = useResource<Person[]>('/people')
  return (
    <Section title={texts.overview.access}>
      <ul className="counts">
        <Count to={{ area: 'credentials' }} resource={credentials} text={(list) => texts.overview.credentials(countLive(list))} />
        <Count to={{ area: 'webhooks' }} resource={webhooks} text={(list) => texts.overview.webhooks(list.length)} />
        <Count to={{ area: 'workspaces' }} resource={workspaces} text={(list) => texts.overview.workspaces(list.length)} />
        <Count to={{ area: 'people' }} resource={people} text={(list) => texts.overview.people(list.length)} />
      </ul>
    </Section>
  )
}

interface CountProps<Item> {
  to: Place
  resource: Resource<Item[]>
  text: (list: readonly Item[]) => string
}

function Count<Item>({ to, resource, text }: CountProps<Item>) {
  return (
    <li>
      <ResourceView resource={resource} lines={1}>
        {(list) => <PlaceLink to={to}>{text(list)}</PlaceLink>}
      </ResourceView>
    </li>
  )
}

function countLive(credentials: readonly Credential[]): number {
  return credentials.filter(({ revokedAt }) => !revokedAt).length
}
