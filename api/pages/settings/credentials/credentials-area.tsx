// The credentials of the organisation: active ones, then revoked ones.
import { ChevronRightIcon } from '../../components/icons.tsx'
import type { Credential } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useResource } from '../data/use-resource.ts'
import { Area } from '../frame/area.tsx'
import { Moment } from '../frame/moment.tsx'
import { EmptyState, Pill } from '../frame/parts.tsx'
import { texts } from '../locales/texts.ts'
import { PlaceLink } from '../routing/place-link.tsx'

export function CredentialsArea() {
  const credentials = useResource<Credential[]>('/credentials')
  return (
    <Area title={texts.credentials.title} lead={texts.credentials.lead} actions={<CreateLink />}>
      <ResourceView resource={credentials}>{(list) => <CredentialLists credentials={list} />}</ResourceView>
    </Area>
  )
}

function CreateLink() {
  return (
    <PlaceLink className="button button-primary" to={{ area: 'new-credential' }}>
      {texts.credentials.create}
    </PlaceLink>
  )
}

function CredentialLists({ credentials }: { credentials: readonly Credential[] }) {
  const live = credentials.filter((credential) => !credential.revokedAt)
  const revoked = credentials.filter((credential) => credential.revokedAt)
  return (
    <>
      {live.length > 0 ? (
        <CredentialRows credentials={live} />
      ) : (
        <EmptyState title={texts.credentials.emptyTitle} body={texts.credentials.emptyBody} />
      )}
      {revoked.length > 0 && (
        <details className="more">
          <summary>{texts.credentials.revokedTitle(revoked.length)}</summary>
          <CredentialRows credentials={revoked} />
        </details>
      )}
    </>
  )
}

function CredentialRows({ credentials }: { credentials: readonly Credential[] }) {
  return (
    <ul className="rows">
      {credentials.map((credential) => (
        <li key={credential.id}>
          <PlaceLink className="row row-link" to={{ area: 'credential', id: credential.id }}>
            <span className="row-main">
              <span className="row-title">{credential.name}</span>
              <code className="row-line">{credential.clientId}</code>
            </span>
            <span className="row-side">
              {credential.previousSecretExpiresAt && !credential.revokedAt && (
                <Pill tone="active">{texts.credentials.twoSecrets}</Pill>
              )}
              <span className="row-line">
                <LastUse credential={credential} />
              </span>
            </span>
            <ChevronRightIcon />
          </PlaceLink>
        </li>
      ))}
    </ul>
  )
}

function LastUse({ credential: { revokedAt, lastUsedAt } }: { credential: Credential }) {
  if (revokedAt) return <Moment at={revokedAt} as="distance" words={texts.credentials.revokedAt} />
  return lastUsedAt ? <Moment at={lastUsedAt} as="distance" words={texts.credentials.lastUsed} /> : texts.credentials.neverUsed
}
