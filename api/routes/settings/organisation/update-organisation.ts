import { updateOrganisation } from '#core/account/organisation/update-organisation.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toOrganisationResponse } from '../../../responses/organisation-record.ts'
import { OrganisationResponse, UpdateOrganisationBody } from '../../../schemas/organisation-record.ts'

export const updateOrganisationRoute = definePanelRoute({
  operationId: 'updateOrganisation',
  summary: 'Change name, language or retention; the installation sets the quotas',
  access: 'admin',
  factor: 'recent',
  method: 'patch',
  path: '/settings/api/organisation',
  params: z.object({}),
  body: UpdateOrganisationBody,
  success: 200,
  response: OrganisationResponse,
  errors: [],
  handle: async ({ core, caller, body }) => toOrganisationResponse(await updateOrganisation(core, caller, body)),
})
