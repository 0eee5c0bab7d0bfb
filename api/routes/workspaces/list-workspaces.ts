import { listWorkspaces } from '#core/workspace/list-workspaces.ts'
import { z } from 'zod'
import { defineOrganisationRoute } from '../../http/define-route.ts'

export const listWorkspacesRoute = defineOrganisationRoute({
  operationId: 'listWorkspaces',
  method: 'get',
  path: '/api/v1/workspaces',
  params: z.object({}),
  success: 200,
  errors: [],
  handle: async ({ core, caller }) => {
    const workspaces = await listWorkspaces(core, caller)
    return workspaces.map(({ id, orgId, name, isGeneral, groupsReady, createdAt }) => {
      return { id, orgId, name, isGeneral, groupsReady, createdAt: createdAt.toISOString() }
    })
  },
})
