// Creates a credential and shows its secret once.
import { useState } from 'react'
import type { CredentialWithSecret, Workspace } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useAction } from '../data/use-action.ts'
import { useResource } from '../data/use-resource.ts'
import { Area } from '../frame/area.tsx'
import { texts } from '../locales/texts.ts'
import { goTo } from '../routing/use-place.ts'
import { useSessionStore } from '../session/session-context.ts'
import { CredentialForm, type CredentialInput } from './credential-form.tsx'
import { SecretDialog } from './secret-dialog.tsx'

export function NewCredentialArea() {
  const store = useSessionStore()
  const workspaces = useResource<Workspace[]>('/workspaces')
  const [created, setCreated] = useState<CredentialWithSecret>()
  const create = useAction(
    ({ name, workspaces: grants }: CredentialInput) =>
      store.call<CredentialWithSecret>({ method: 'POST', path: '/credentials', body: { name, workspaces: grants } }),
    setCreated,
  )
  return (
    <Area title={texts.credentials.newTitle} parent={{ place: { area: 'credentials' }, name: texts.credentials.title }}>
      <ResourceView resource={workspaces}>
        {(list) => (
          <div className="sheet">
            <CredentialForm
              initial={{ name: '', workspaces: [] }}
              workspaces={list}
              submit={texts.credentials.create}
              action={create}
            />
          </div>
        )}
      </ResourceView>
      {created && (
        <SecretDialog
          title={texts.credentials.secretTitle}
          credential={created}
          onStored={() => goTo({ area: 'credential', id: created.id }, 'replace')}
        />
      )}
    </Area>
  )
}
