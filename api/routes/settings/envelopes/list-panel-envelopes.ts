import { listEnvelopes } from '#core/envelope/list-envelopes.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import {
  ListEnvelopesQuery,
  PagedEnvelopeResponse,
  toFilter,
  toPage,
  toPagedEnvelopeResponse,
} from '../../../schemas/envelope-list.ts'

export const listPanelEnvelopesRoute = definePanelRoute({
  operationId: 'listPanelEnvelopes',
  summary: 'List envelopes, newest first: all for admins; for members those in workspaces where they have a role',
  access: 'member',
  method: 'get',
  path: '/settings/api/envelopes',
  params: z.object({}),
  query: ListEnvelopesQuery,
  success: 200,
  response: PagedEnvelopeResponse,
  errors: ['INVALID_STATUS', 'PAGE_TOO_DEEP'],
  handle: async ({ core, caller, query }) =>
    toPagedEnvelopeResponse(await listEnvelopes(core, caller, toFilter(query), toPage(query))),
})
