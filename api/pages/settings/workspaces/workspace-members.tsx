// The members' permissions in a workspace. Admins are not listed, because they have every permission.
import { useState } from 'react'
import type { Member, Person, Workspace } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useAction } from '../data/use-action.ts'
import { useResource } from '../data/use-resource.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { Section } from '../frame/area.tsx'
import { useFlash } from '../frame/flash.tsx'
import { EmptyState } from '../frame/parts.tsx'
import { texts } from '../locales/texts.ts'
import type { Choices } from '../permissions/grants.ts'
import { PermissionMatrix } from '../permissions/permission-matrix.tsx'
import { PlaceLink } from '../routing/place-link.tsx'
import { useSessionStore } from '../session/session-context.ts'

export function WorkspaceMembers({ workspace }: { workspace: Workspace }) {
  const people = useResource<Person[]>('/people')
  const members = useResource<Member[]>(`/workspaces/${workspace.id}/members`)
  return (
    <Section title={texts.workspaces.members} hint={texts.workspaces.membersHint}>
      <ResourceView resource={people}>
        {(everybody) => (
          <ResourceView resource={members}>
            {(list) => <MembersForm workspace={workspace} people={everybody} members={list} onSaved={members.put} />}
          </ResourceView>
        )}
      </ResourceView>
    </Section>
  )
}

interface MembersFormProps {
  workspace: Workspace
  people: readonly Person[]
  members: readonly Member[]
  onSaved: (members: Member[]) => void
}

function MembersForm({ workspace, people, members, onSaved }: MembersFormProps) {
  const store = useSessionStore()
  const say = useFlash()
  const [choices, setChoices] = useState<Choices>(() =>
    Object.fromEntries(members.map(({ adminOrMemberId, permissions }) => [adminOrMemberId, permissions])),
  )
  const save = useAction(
    (body: Member[]) => store.call<Member[]>({ method: 'PUT', path: `/workspaces/${workspace.id}/members`, body }),
    (saved) => {
      say(texts.workspaces.membersSaved)
      onSaved(saved)
    },
  )
  const rows = people.filter(({ role }) => role === 'MEMBER')
  if (rows.length === 0)
    return (
      <EmptyState title={texts.workspaces.noMembersTitle} body={texts.workspaces.noMembersBody}>
        <PlaceLink className="button button-secondary" to={{ area: 'people' }}>
          {texts.workspaces.toPeople}
        </PlaceLink>
      </EmptyState>
    )
  // Permissions that an admin had as a member are kept in case the admin becomes a member again.
  const granted = Object.entries(choices).filter(([, permissions]) => permissions.length > 0)
  const body = granted.map(([adminOrMemberId, permissions]) => ({ adminOrMemberId, permissions: [...permissions] }))
  return (
    <PanelForm
      errors={{}}
      failure={save.failure}
      submit={texts.words.save}
      isRunning={save.isRunning}
      onSubmit={() => void save.run(body)}
    >
      <PermissionMatrix
        label={texts.workspaces.members}
        rows={rows}
        choices={choices}
        isDisabled={save.isRunning}
        onChange={setChoices}
      />
    </PanelForm>
  )
}
