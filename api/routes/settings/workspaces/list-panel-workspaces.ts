import { listWorkspaces } from '#core/account/workspace/list-workspaces.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toWorkspaceResponse } from '../../../responses/workspace.ts'
import { WorkspaceResponse } from '../../../schemas/workspace.ts'

export const listPanelWorkspacesRoute = definePanelRoute({
  operationId: 'listPanelWorkspaces',
  summary: 'List workspaces: all for admins; General and those with a role for members',
  access: 'member',
  method: 'get',
  path: '/settings/api/workspaces',
  params: z.object({}),
  success: 200,
  response: z.array(WorkspaceResponse),
  errors: [],
  handle: async ({ core, caller }) => (await listWorkspaces(core, caller)).map(toWorkspaceResponse),
})
