import { replaceMembers } from '#core/account/workspace/replace-members.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toMemberResponse } from '../../../responses/member.ts'
import { MemberResponse, MembersBody } from '../../../schemas/member.ts'
import { WorkspacePath } from '../../../schemas/workspace.ts'

export const replaceMembersRoute = definePanelRoute({
  operationId: 'replaceMembers',
  summary: 'Replace the members of a workspace',
  access: 'admin',
  factor: 'recent',
  method: 'put',
  path: '/settings/api/workspaces/:id/members',
  params: WorkspacePath,
  body: MembersBody,
  success: 200,
  response: z.array(MemberResponse),
  errors: ['WORKSPACE_NOT_FOUND', 'PERSON_NOT_FOUND'],
  handle: async ({ core, caller, params, body }) => {
    const members = body.map(({ adminOrMemberId, permissions }) => ({ personId: adminOrMemberId, permissions }))
    return (await replaceMembers(core, caller, params.id, members)).map(toMemberResponse)
  },
})
