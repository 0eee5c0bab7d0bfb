import { listPeople } from '#core/account/person/list-people.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toPersonResponse } from '../../../responses/person.ts'
import { PersonResponse } from '../../../schemas/person.ts'

export const listPeopleRoute = definePanelRoute({
  operationId: 'listPeople',
  summary: 'List the people of the organisation, by name',
  access: 'admin',
  method: 'get',
  path: '/settings/api/people',
  params: z.object({}),
  success: 200,
  response: z.array(PersonResponse),
  errors: [],
  handle: async ({ core, caller }) => (await listPeople(core, caller)).map(toPersonResponse),
})
