import { listEnvelopes } from '#core/envelope/list-envelopes.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toPagedEnvelopeResponse } from '../../../responses/envelope.ts'
import { PagedEnvelopeResponse } from '../../../schemas/envelope.ts'
import { ListEnvelopesQuery, toFilter } from '../../../schemas/envelope-list.ts'
import { toPage } from '../../../schemas/page.ts'

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
