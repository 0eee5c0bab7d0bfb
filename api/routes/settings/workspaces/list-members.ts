import { listMembers } from '#core/account/workspace/list-members.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toMemberResponse } from '../../../responses/member.ts'
import { MemberResponse } from '../../../schemas/member.ts'
import { WorkspacePath } from '../../../schemas/workspace.ts'

export const listMembersRoute = definePanelRoute({
  operationId: 'listMembers',
  summary: 'List the members of a workspace and their permissions; admins need none',
  access: 'admin',
  method: 'get',
  path: '/settings/api/workspaces/:id/members',
  params: WorkspacePath,
  success: 200,
  response: z.array(MemberResponse),
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ core, caller, params }) => (await listMembers(core, caller, params.id)).map(toMemberResponse),
})
