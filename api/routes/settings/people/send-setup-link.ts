import { inviteAgain } from '#core/account/person/invite-person.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { PersonPath } from '../../../schemas/person.ts'

export const sendSetupLinkRoute = definePanelRoute({
  operationId: 'sendSetupLink',
  summary: 'Email a person a new link to set their password',
  access: 'admin',
  factor: 'recent',
  method: 'post',
  path: '/settings/api/people/:id/setup-link',
  params: PersonPath,
  success: 204,
  errors: ['PERSON_NOT_FOUND', 'QUOTA_EXCEEDED'],
  handle: ({ core, caller, params }) => inviteAgain(core, caller, params.id),
})
