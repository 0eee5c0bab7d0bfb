// The overview: envelopes by status, quota usage, the signing key, and access.
import type { Organisation, SigningKey } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useResource } from '../data/use-resource.ts'
import { Area, Section } from '../frame/area.tsx'
import { texts } from '../locales/texts.ts'
import { PlaceLink } from '../routing/place-link.tsx'
import { useIsAdmin, useSession } from '../session/session-context.ts'
import { SelfSignedNotice } from '../signing-keys/key-marks.tsx'
import { KeySummary } from '../signing-keys/key-summary.tsx'
import { AccessCounts } from './access-counts.tsx'
import { EnvelopeCounts } from './envelope-counts.tsx'
import { QuotaList } from './quota-list.tsx'

export function OverviewArea() {
  const { organisation: own } = useSession()
  const isAdmin = useIsAdmin()
  const organisation = useResource<Organisation>('/organisation')
  const keys = useResource<SigningKey[]>('/signing-keys')
  const current = keys.loaded.phase === 'ready' ? keys.loaded.value.find((key) => key.current) : undefined
  return (
    <Area title={texts.overview.title} lead={own.name}>
      {current?.origin === 'SELF_MADE' && isAdmin && <SelfSignedNotice />}
      <EnvelopeCounts />
      <div className="columns columns-even">
        <Section title={texts.overview.quotas} hint={texts.overview.quotasHint}>
          <ResourceView resource={organisation}>{({ quotas }) => <QuotaList quotas={quotas} />}</ResourceView>
        </Section>
        <div className="column">
          <Section
            title={texts.overview.key}
            hint={texts.overview.keyHint}
            actions={<PlaceLink to={{ area: 'signing-keys' }}>{texts.overview.allKeys}</PlaceLink>}
          >
            <ResourceView resource={keys}>{(list) => <KeySummary signingKey={list.find((key) => key.current)} />}</ResourceView>
          </Section>
          {isAdmin && <AccessCounts />}
        </div>
      </div>
    </Area>
  )
}
