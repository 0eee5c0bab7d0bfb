import { invitePerson } from '#core/account/person/invite-person.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toPersonResponse } from '../../../responses/person.ts'
import { InvitePersonBody, PersonResponse } from '../../../schemas/person.ts'

export const invitePersonRoute = definePanelRoute({
  operationId: 'invitePerson',
  summary: 'Invite a person by email',
  access: 'admin',
  factor: 'recent',
  method: 'post',
  path: '/settings/api/people',
  params: z.object({}),
  body: InvitePersonBody,
  success: 201,
  response: PersonResponse,
  errors: ['EMAIL_TAKEN', 'QUOTA_EXCEEDED'],
  handle: async ({ core, caller, body }) => toPersonResponse(await invitePerson(core, caller, body)),
})
