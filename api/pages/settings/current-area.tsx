// The area at the current URL, loaded on first visit.
import { lazy, Suspense } from 'react'
import { Spinner } from '../components/spinner.tsx'
import { mayVisit } from './frame/areas.ts'
import { UnknownArea } from './frame/unknown-area.tsx'
import { texts } from './locales/texts.ts'
import type { Place } from './routing/place.ts'
import { usePlace } from './routing/use-place.ts'
import { useIsAdmin } from './session/session-context.ts'

const OverviewArea = lazy(async () => ({ default: (await import('./overview/overview-area.tsx')).OverviewArea }))
const EnvelopesArea = lazy(async () => ({ default: (await import('./envelopes/envelopes-area.tsx')).EnvelopesArea }))
const EnvelopeArea = lazy(async () => ({ default: (await import('./envelopes/envelope-area.tsx')).EnvelopeArea }))
const CredentialsArea = lazy(async () => ({ default: (await import('./credentials/credentials-area.tsx')).CredentialsArea }))
const CredentialArea = lazy(async () => ({ default: (await import('./credentials/credential-area.tsx')).CredentialArea }))
const NewCredentialArea = lazy(async () => ({
  default: (await import('./credentials/new-credential-area.tsx')).NewCredentialArea,
}))
const WebhooksArea = lazy(async () => ({ default: (await import('./webhooks/webhooks-area.tsx')).WebhooksArea }))
const WebhookArea = lazy(async () => ({ default: (await import('./webhooks/webhook-area.tsx')).WebhookArea }))
const NewWebhookArea = lazy(async () => ({ default: (await import('./webhooks/new-webhook-area.tsx')).NewWebhookArea }))
const DeliveriesArea = lazy(async () => ({ default: (await import('./webhooks/deliveries/deliveries-area.tsx')).DeliveriesArea }))
const DeliveryArea = lazy(async () => ({ default: (await import('./webhooks/deliveries/delivery-area.tsx')).DeliveryArea }))
const WorkspacesArea = lazy(async () => ({ default: (await import('./workspaces/workspaces-area.tsx')).WorkspacesArea }))
const WorkspaceArea = lazy(async () => ({ default: (await import('./workspaces/workspace-area.tsx')).WorkspaceArea }))
const PeopleArea = lazy(async () => ({ default: (await import('./people/people-area.tsx')).PeopleArea }))
const OrganisationArea = lazy(async () => ({ default: (await import('./organisation/organisation-area.tsx')).OrganisationArea }))
const AccountArea = lazy(async () => ({ default: (await import('./account/account-area.tsx')).AccountArea }))
const ActivityArea = lazy(async () => ({ default: (await import('./activity/activity-area.tsx')).ActivityArea }))
const SigningKeysArea = lazy(async () => ({ default: (await import('./signing-keys/signing-keys-area.tsx')).SigningKeysArea }))

export function CurrentArea() {
  const place = usePlace()
  const isAdmin = useIsAdmin()
  if (!mayVisit(place.area, isAdmin)) return <UnknownArea />
  return <Suspense fallback={<Spinner label={texts.words.loading} isLabelShown={false} />}>{areaOf(place)}</Suspense>
}

const RECORD_AREAS = { envelope: EnvelopeArea, credential: CredentialArea, webhook: WebhookArea, workspace: WorkspaceArea }
const PLAIN_AREAS = {
  overview: OverviewArea,
  account: AccountArea,
  credentials: CredentialsArea,
  'new-credential': NewCredentialArea,
  webhooks: WebhooksArea,
  'new-webhook': NewWebhookArea,
  workspaces: WorkspacesArea,
  people: PeopleArea,
  organisation: OrganisationArea,
  'signing-keys': SigningKeysArea,
  unknown: UnknownArea,
}

function areaOf(place: Place) {
  if ('query' in place) return <EnvelopesArea query={place.query} />
  if (place.area === 'deliveries') return <DeliveriesArea webhookId={place.webhookId} filter={place.filter} />
  if (place.area === 'delivery') return <DeliveryArea key={place.deliveryId} {...place} />
  if ('page' in place) return <ActivityArea page={place.page} />
  if ('id' in place) {
    const RecordArea = RECORD_AREAS[place.area]
    return <RecordArea key={place.id} id={place.id} />
  }
  const PlainArea = PLAIN_AREAS[place.area]
  return <PlainArea />
}
