// The workspaces a person can see. Admins continue to a workspace's members, members to its envelopes.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { ChevronRightIcon } from '../../components/icons.tsx'
import type { Workspace } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useAction } from '../data/use-action.ts'
import { useResource } from '../data/use-resource.ts'
import { Area } from '../frame/area.tsx'
import { useFlash } from '../frame/flash.tsx'
import { Moment } from '../frame/moment.tsx'
import { EmptyState, Pill } from '../frame/parts.tsx'
import { texts } from '../locales/texts.ts'
import { ALL_ENVELOPES } from '../routing/place.ts'
import { PlaceLink } from '../routing/place-link.tsx'
import { goTo } from '../routing/use-place.ts'
import { useIsAdmin, useSessionStore } from '../session/session-context.ts'
import { WorkspaceDialog } from './workspace-dialog.tsx'

export function WorkspacesArea() {
  const isAdmin = useIsAdmin()
  const workspaces = useResource<Workspace[]>('/workspaces')
  return (
    <Area
      title={texts.workspaces.title}
      lead={isAdmin ? texts.workspaces.lead : texts.workspaces.leadMember}
      actions={isAdmin && <CreateButton />}
    >
      <ResourceView resource={workspaces}>
        {(list) =>
          list.length > 0 ? (
            <ul className="rows">
              {list.map((workspace) => (
                <li key={workspace.id}>
                  <WorkspaceRow workspace={workspace} isAdmin={isAdmin} />
                </li>
              ))}
            </ul>
          ) : (
            <EmptyState title={texts.overview.noWorkspaceTitle} body={texts.overview.noWorkspaceBody} />
          )
        }
      </ResourceView>
    </Area>
  )
}

function WorkspaceRow({ workspace: { id, name, isGeneral, groupsReady, createdAt }, isAdmin }: RowProps) {
  return (
    <PlaceLink
      className="row row-link"
      to={isAdmin ? { area: 'workspace', id } : { area: 'envelopes', query: { ...ALL_ENVELOPES, workspaceId: id } }}
    >
      <span className="row-main">
        <span className="row-title">{name}</span>
        <span className="row-line">
          {isGeneral ? texts.workspaces.generalHint : <Moment at={createdAt} as="moment" words={texts.workspaces.createdAt} />}
        </span>
      </span>
      {!groupsReady && <Pill tone="active">{texts.workspaces.preparing}</Pill>}
      <ChevronRightIcon />
    </PlaceLink>
  )
}

interface RowProps {
  workspace: Workspace
  isAdmin: boolean
}

function CreateButton() {
  const store = useSessionStore()
  const say = useFlash()
  const [isOpen, setOpen] = useState(false)
  const create = useAction(
    (name: string) => store.call<Workspace>({ method: 'POST', path: '/workspaces', body: { name } }),
    ({ id, name }) => {
      say(texts.workspaces.created(name))
      goTo({ area: 'workspace', id })
    },
  )
  return (
    <>
      <ActionButton look="primary" onPress={() => setOpen(true)}>
        {texts.workspaces.create}
      </ActionButton>
      {isOpen && (
        <WorkspaceDialog
          title={texts.workspaces.create}
          name=""
          submit={texts.workspaces.create}
          action={create}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
