import { listWorkspaces } from '#core/workspace/list-workspaces.ts'
import { z } from 'zod'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { toWorkspaceResponse, WorkspaceResponse } from '../../schemas/workspace.ts'

export const listWorkspacesRoute = defineOrganisationRoute({
  operationId: 'listWorkspaces',
  method: 'get',
  path: '/api/v1/workspaces',
  params: z.object({}),
  success: 200,
  response: z.array(WorkspaceResponse),
  errors: [],
  handle: async ({ core, caller }) => (await listWorkspaces(core, caller)).map(toWorkspaceResponse),
})
