import { listWorkspaces } from '#core/account/workspace/list-workspaces.ts'
import { z } from 'zod'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { toWorkspaceResponse } from '../../responses/workspace.ts'
import { WorkspaceResponse } from '../../schemas/workspace.ts'

export const listWorkspacesRoute = defineOrganisationRoute({
  operationId: 'listWorkspaces',
  summary: 'List workspaces',
  description: 'General, and the workspaces in which the credential has a role.',
  method: 'get',
  path: '/api/v1/workspaces',
  params: z.object({}),
  success: 200,
  response: z.array(WorkspaceResponse),
  errors: [],
  handle: async ({ core, caller }) => (await listWorkspaces(core, caller)).map(toWorkspaceResponse),
})
