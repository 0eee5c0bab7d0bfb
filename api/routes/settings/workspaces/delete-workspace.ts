import { deleteWorkspace } from '#core/account/workspace/delete-workspace.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { WorkspacePath } from '../../../schemas/workspace.ts'

export const deleteWorkspaceRoute = definePanelRoute({
  operationId: 'deleteWorkspace',
  summary: 'Delete a workspace without envelopes; General cannot be deleted',
  access: 'admin',
  method: 'delete',
  path: '/settings/api/workspaces/:id',
  params: WorkspacePath,
  success: 204,
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_IS_GENERAL', 'WORKSPACE_NOT_EMPTY'],
  handle: ({ core, caller, params }) => deleteWorkspace(core, caller, params.id),
})
