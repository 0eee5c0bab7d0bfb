import { resetFactor } from '#core/account/factor/reset-factor.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { PersonPath } from '../../../schemas/person.ts'

export const resetFactorRoute = definePanelRoute({
  operationId: 'resetFactor',
  summary: 'Reset the second factor of another person',
  description: 'For a person who lost it. Ends their sessions; they sign in with the password and can set up a new one.',
  access: 'admin',
  factor: 'recent',
  method: 'delete',
  path: '/settings/api/people/:id/factor',
  params: PersonPath,
  success: 204,
  errors: ['PERSON_NOT_FOUND', 'FACTOR_NOT_SET', 'OWN_FACTOR_RESET'],
  handle: ({ core, caller, params }) => resetFactor(core, caller, params.id),
})
