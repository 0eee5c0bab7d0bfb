// One credential: its permissions, its secrets, and its revocation.
import type { Credential, Workspace } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useAction } from '../data/use-action.ts'
import { type Resource, useResource } from '../data/use-resource.ts'
import { Area, Section } from '../frame/area.tsx'
import { CopyButton } from '../frame/copy-button.tsx'
import { useFlash } from '../frame/flash.tsx'
import { Moment } from '../frame/moment.tsx'
import { Facts, Pill } from '../frame/parts.tsx'
import { UnknownArea } from '../frame/unknown-area.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { CredentialForm, type CredentialInput } from './credential-form.tsx'
import { RevokeSection, RotateSection } from './credential-secrets.tsx'

export function CredentialArea({ id }: { id: string }) {
  const credentials = useResource<Credential[]>('/credentials')
  const { loaded } = credentials
  const credential = loaded.phase === 'ready' ? loaded.value.find((each) => each.id === id) : undefined
  if (loaded.phase === 'ready' && !credential && !loaded.isRefreshing) return <UnknownArea />
  return (
    <Area
      title={credential?.name ?? texts.credentials.title}
      mark={credential?.revokedAt && <Pill tone="warning">{texts.credentials.revoked}</Pill>}
      parent={{ place: { area: 'credentials' }, name: texts.credentials.title }}
    >
      <ResourceView resource={credentials}>
        {() =>
          credential && (
            <div className="columns">
              <div className="column">
                {credential.revokedAt ? (
                  <p>{texts.credentials.revokedBody}</p>
                ) : (
                  <LiveCredential credential={credential} credentials={credentials} />
                )}
              </div>
              <CredentialFacts credential={credential} />
            </div>
          )
        }
      </ResourceView>
    </Area>
  )
}

function LiveCredential({ credential, credentials }: { credential: Credential; credentials: Resource<Credential[]> }) {
  const store = useSessionStore()
  const say = useFlash()
  const workspaces = useResource<Workspace[]>('/workspaces')
  const save = useAction(
    ({ name, workspaces: grants }: CredentialInput) =>
      store.call<Credential>({ method: 'PATCH', path: `/credentials/${credential.id}`, body: { name, workspaces: grants } }),
    () => {
      say(texts.credentials.saved)
      void credentials.reload()
    },
  )
  return (
    <>
      <Section title={texts.credentials.settings}>
        <ResourceView resource={workspaces}>
          {(list) => <CredentialForm initial={credential} workspaces={list} submit={texts.words.save} action={save} />}
        </ResourceView>
      </Section>
      <RotateSection credential={credential} onChange={() => void credentials.reload()} />
      <RevokeSection credential={credential} onChange={() => void credentials.reload()} />
    </>
  )
}

function CredentialFacts({ credential }: { credential: Credential }) {
  const { clientId, createdAt, lastUsedAt, revokedAt, secretLastFour } = credential
  return (
    <aside className="sheet sheet-aside">
      <Facts
        facts={[
          [
            texts.credentials.clientId,
            <span className="copy-inline">
              <code>{clientId}</code>
              <CopyButton text={clientId} label={texts.credentials.clientId} />
            </span>,
          ],
          [texts.credentials.secretEnds, !revokedAt && secretLastFour && texts.credentials.secretEnding(secretLastFour)],
          [texts.credentials.lastUsedLabel, lastUsedAt ? <Moment at={lastUsedAt} as="moment" /> : texts.words.never],
          [texts.credentials.created, <Moment at={createdAt} as="moment" />],
          [texts.credentials.revoked, revokedAt && <Moment at={revokedAt} as="moment" />],
        ]}
      />
    </aside>
  )
}
