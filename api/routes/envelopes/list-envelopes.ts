import { listEnvelopes } from '#core/envelope/list-envelopes.ts'
import { z } from 'zod'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { toPagedEnvelopeResponse } from '../../responses/envelope.ts'
import { PagedEnvelopeResponse } from '../../schemas/envelope.ts'
import { ListEnvelopesQuery, toFilter } from '../../schemas/envelope-list.ts'
import { toPage } from '../../schemas/page.ts'

export const listEnvelopesRoute = defineOrganisationRoute({
  operationId: 'listEnvelopes',
  summary: 'List envelopes',
  description: 'Newest first. Contains only envelopes in workspaces that the caller can read.',
  method: 'get',
  path: '/api/v1/envelopes',
  params: z.object({}),
  query: ListEnvelopesQuery,
  success: 200,
  response: PagedEnvelopeResponse,
  errors: ['INVALID_STATUS', 'PAGE_TOO_DEEP'],
  handle: async ({ core, caller, query }) =>
    toPagedEnvelopeResponse(await listEnvelopes(core, caller, toFilter(query), toPage(query))),
})
