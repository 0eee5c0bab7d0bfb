import { countEnvelopes } from '#core/envelope/count-envelopes.ts'
import { WorkspaceId } from '#core/ids.ts'
import { z } from 'zod'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { filled } from '../../schemas/page.ts'
import { toEnvelopeStatsResponse } from '../../responses/envelope-stats.ts'
import { EnvelopeStatsResponse } from '../../schemas/envelope-stats.ts'

export const getEnvelopeStatsRoute = defineOrganisationRoute({
  operationId: 'getEnvelopeStats',
  summary: 'Count envelopes by status',
  description: 'Counts the envelopes in workspaces that the caller can read.',
  method: 'get',
  path: '/api/v1/envelopes/stats',
  params: z.object({}),
  query: z.object({
    workspaceId: filled(WorkspaceId).meta({
      description: 'Count only this workspace. If the caller cannot read it, all counts are 0.',
    }),
  }),
  success: 200,
  response: EnvelopeStatsResponse,
  errors: [],
  handle: async ({ core, caller, query }) => toEnvelopeStatsResponse(await countEnvelopes(core, caller, query.workspaceId)),
})
