import { removePerson } from '#core/account/person/remove-person.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { PersonPath } from '../../../schemas/person.ts'

export const removePersonRoute = definePanelRoute({
  operationId: 'removePerson',
  summary: 'Remove a person and end their sessions',
  access: 'admin',
  factor: 'recent',
  method: 'delete',
  path: '/settings/api/people/:id',
  params: PersonPath,
  success: 204,
  errors: ['PERSON_NOT_FOUND', 'LAST_ADMIN'],
  handle: ({ core, caller, params }) => removePerson(core, caller, params.id),
})
