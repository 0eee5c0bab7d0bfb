// Renames a workspace. General keeps its name: it is the default workspace of envelopes.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { WorkspaceId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import type { Workspace } from './list-workspaces.ts'
import { lockForChange } from './lock-for-change.ts'
import { updateWorkspaceName } from './store.ts'

/** Throws WORKSPACE_NOT_FOUND, WORKSPACE_IS_GENERAL, and WORKSPACE_NAME_TAKEN by its constraint. */
export async function renameWorkspace(
  core: Pick<Core, 'database'>,
  caller: PersonCaller,
  id: WorkspaceId,
  name: string,
): Promise<Workspace> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const { name: before } = await lockForChange(sql, orgId, id)
    const workspace = await updateWorkspaceName(sql, orgId, id, name)
    await recordAdminEvent(sql, caller, { action: 'workspace.renamed', detail: { workspaceId: id, name, before } })
    return { ...workspace, orgId }
  })
}
