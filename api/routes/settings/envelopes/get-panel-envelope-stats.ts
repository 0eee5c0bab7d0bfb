import { countEnvelopes } from '#core/envelope/count-envelopes.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toEnvelopeStatsResponse } from '../../../responses/envelope-stats.ts'
import { EnvelopeStatsResponse } from '../../../schemas/envelope-stats.ts'

export const getPanelEnvelopeStatsRoute = definePanelRoute({
  operationId: 'getPanelEnvelopeStats',
  summary: 'Count envelopes by status: all for admins; for members those in workspaces where they have a role',
  access: 'member',
  method: 'get',
  path: '/settings/api/envelopes/stats',
  params: z.object({}),
  success: 200,
  response: EnvelopeStatsResponse,
  errors: [],
  handle: async ({ core, caller }) => toEnvelopeStatsResponse(await countEnvelopes(core, caller, undefined)),
})
