// One workspace, for admins: its name, its members' permissions, and its deletion.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import type { Workspace } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useAction } from '../data/use-action.ts'
import { useResource } from '../data/use-resource.ts'
import { Area } from '../frame/area.tsx'
import { ConfirmDialog } from '../frame/confirm-dialog.tsx'
import { useFlash } from '../frame/flash.tsx'
import { UnknownArea } from '../frame/unknown-area.tsx'
import { texts } from '../locales/texts.ts'
import { ALL_ENVELOPES } from '../routing/place.ts'
import { PlaceLink } from '../routing/place-link.tsx'
import { goTo } from '../routing/use-place.ts'
import { useSessionStore } from '../session/session-context.ts'
import { WorkspaceDialog } from './workspace-dialog.tsx'
import { WorkspaceMembers } from './workspace-members.tsx'

export function WorkspaceArea({ id }: { id: string }) {
  const workspaces = useResource<Workspace[]>('/workspaces')
  const { loaded } = workspaces
  const workspace = loaded.phase === 'ready' ? loaded.value.find((each) => each.id === id) : undefined
  if (loaded.phase === 'ready' && !workspace && !loaded.isRefreshing) return <UnknownArea />
  return (
    <Area
      title={workspace?.name ?? texts.workspaces.title}
      parent={{ place: { area: 'workspaces' }, name: texts.workspaces.title }}
      actions={workspace && <WorkspaceActions workspace={workspace} onChange={() => void workspaces.reload()} />}
      {...(workspace?.isGeneral && { lead: texts.workspaces.generalHint })}
    >
      <ResourceView resource={workspaces}>{() => workspace && <WorkspaceMembers workspace={workspace} />}</ResourceView>
    </Area>
  )
}

function WorkspaceActions({ workspace, onChange }: { workspace: Workspace; onChange: () => void }) {
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete'>()
  const close = () => setOpenDialog(undefined)
  return (
    <>
      <PlaceLink
        className="button button-secondary"
        to={{ area: 'envelopes', query: { ...ALL_ENVELOPES, workspaceId: workspace.id } }}
      >
        {texts.workspaces.envelopes}
      </PlaceLink>
      {!workspace.isGeneral && (
        <>
          <ActionButton look="secondary" onPress={() => setOpenDialog('rename')}>
            {texts.workspaces.rename}
          </ActionButton>
          <ActionButton look="danger" onPress={() => setOpenDialog('delete')}>
            {texts.workspaces.delete}
          </ActionButton>
        </>
      )}
      {openDialog === 'rename' && <RenameDialog workspace={workspace} onChange={onChange} onClose={close} />}
      {openDialog === 'delete' && <DeleteDialog workspace={workspace} onClose={close} />}
    </>
  )
}

interface WorkspaceDialogProps {
  workspace: Workspace
  onClose: () => void
}

function RenameDialog({ workspace, onChange, onClose }: WorkspaceDialogProps & { onChange: () => void }) {
  const store = useSessionStore()
  const say = useFlash()
  const rename = useAction(
    (name: string) => store.call<Workspace>({ method: 'PATCH', path: `/workspaces/${workspace.id}`, body: { name } }),
    () => {
      say(texts.workspaces.renamed)
      onClose()
      onChange()
    },
  )
  return (
    <WorkspaceDialog
      title={texts.workspaces.renameTitle}
      name={workspace.name}
      submit={texts.workspaces.rename}
      action={rename}
      onClose={onClose}
    />
  )
}

function DeleteDialog({ workspace, onClose }: WorkspaceDialogProps) {
  const store = useSessionStore()
  const say = useFlash()
  const remove = useAction(
    () => store.call<undefined>({ method: 'DELETE', path: `/workspaces/${workspace.id}` }),
    () => {
      say(texts.workspaces.deleted(workspace.name))
      goTo({ area: 'workspaces' }, 'replace')
    },
  )
  return (
    <ConfirmDialog
      title={texts.workspaces.deleteTitle(workspace.name)}
      body={texts.workspaces.deleteBody}
      confirm={texts.workspaces.delete}
      look="danger"
      action={remove}
      onClose={onClose}
    />
  )
}
