// A workspace, as answers hold it.
import type { Workspace } from '#core/account/workspace/list-workspaces.ts'
import type { WorkspaceResponse } from '../schemas/workspace.ts'

export function toWorkspaceResponse({ id, orgId, name, isGeneral, groupsReady, createdAt }: Workspace): WorkspaceResponse {
  return { id, orgId, name, isGeneral, groupsReady, createdAt: createdAt.toISOString() }
}
