import { updatePerson } from '#core/account/person/update-person.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toPersonResponse } from '../../../responses/person.ts'
import { PersonPath, PersonResponse, UpdatePersonBody } from '../../../schemas/person.ts'

export const updatePersonRoute = definePanelRoute({
  operationId: 'updatePerson',
  summary: 'Change a name or a role',
  access: 'admin',
  factor: 'recent',
  method: 'patch',
  path: '/settings/api/people/:id',
  params: PersonPath,
  body: UpdatePersonBody,
  success: 200,
  response: PersonResponse,
  errors: ['PERSON_NOT_FOUND', 'LAST_ADMIN'],
  handle: async ({ core, caller, params, body }) => toPersonResponse(await updatePerson(core, caller, params.id, body)),
})
