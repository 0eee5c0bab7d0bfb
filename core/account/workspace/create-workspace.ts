// Creates a workspace, which separates envelopes from others.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { newId, WorkspaceId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import type { Workspace } from './list-workspaces.ts'
import { insertWorkspace } from './store.ts'

/** Throws WORKSPACE_NAME_TAKEN by its constraint. */
export async function createWorkspace(core: Pick<Core, 'database'>, caller: PersonCaller, name: string): Promise<Workspace> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const workspace = await insertWorkspace(sql, orgId, newId(WorkspaceId), name)
    await recordAdminEvent(sql, caller, { action: 'workspace.created', detail: { workspaceId: workspace.id, name } })
    return { ...workspace, orgId }
  })
}
