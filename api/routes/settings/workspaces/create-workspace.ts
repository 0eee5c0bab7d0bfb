import { createWorkspace } from '#core/account/workspace/create-workspace.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toWorkspaceResponse } from '../../../responses/workspace.ts'
import { WorkspaceBody, WorkspaceResponse } from '../../../schemas/workspace.ts'

export const createWorkspaceRoute = definePanelRoute({
  operationId: 'createWorkspace',
  summary: 'Add a workspace',
  access: 'admin',
  method: 'post',
  path: '/settings/api/workspaces',
  params: z.object({}),
  body: WorkspaceBody,
  success: 201,
  response: WorkspaceResponse,
  errors: ['WORKSPACE_NAME_TAKEN'],
  handle: async ({ core, caller, body }) => toWorkspaceResponse(await createWorkspace(core, caller, body.name)),
})
