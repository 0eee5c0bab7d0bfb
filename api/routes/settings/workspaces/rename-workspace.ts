import { renameWorkspace } from '#core/account/workspace/rename-workspace.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toWorkspaceResponse } from '../../../responses/workspace.ts'
import { WorkspaceBody, WorkspacePath, WorkspaceResponse } from '../../../schemas/workspace.ts'

export const renameWorkspaceRoute = definePanelRoute({
  operationId: 'renameWorkspace',
  summary: 'Rename a workspace; General cannot be renamed',
  access: 'admin',
  method: 'patch',
  path: '/settings/api/workspaces/:id',
  params: WorkspacePath,
  body: WorkspaceBody,
  success: 200,
  response: WorkspaceResponse,
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_IS_GENERAL', 'WORKSPACE_NAME_TAKEN'],
  handle: async ({ core, caller, params, body }) =>
    toWorkspaceResponse(await renameWorkspace(core, caller, params.id, body.name)),
})
