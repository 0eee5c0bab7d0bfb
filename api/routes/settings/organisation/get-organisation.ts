import { getOrganisation } from '#core/account/organisation/get-organisation.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toOrganisationResponse } from '../../../responses/organisation-record.ts'
import { OrganisationResponse } from '../../../schemas/organisation-record.ts'

export const getOrganisationRoute = definePanelRoute({
  operationId: 'getOrganisation',
  summary: 'Get name, language, retention and quotas with their current use',
  access: 'member',
  method: 'get',
  path: '/settings/api/organisation',
  params: z.object({}),
  success: 200,
  response: OrganisationResponse,
  errors: [],
  handle: async ({ core, caller }) => toOrganisationResponse(await getOrganisation(core, caller)),
})
