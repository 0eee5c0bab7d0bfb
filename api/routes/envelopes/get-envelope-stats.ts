import { countEnvelopes } from '#core/envelope/count-envelopes.ts'
import { WorkspaceId } from '#core/ids.ts'
import { z } from 'zod'
import { defineOrganisationRoute } from '../../http/define-route.ts'

export const getEnvelopeStatsRoute = defineOrganisationRoute({
  operationId: 'getEnvelopeStats',
  method: 'get',
  path: '/api/v1/envelopes/stats',
  params: z.object({}),
  query: z.object({ workspaceId: z.preprocess((value) => (value === '' ? undefined : value), WorkspaceId.optional()) }),
  success: 200,
  errors: [],
  handle: async ({ core, caller, query }) => {
    const { DRAFT, SENT, IN_PROGRESS, COMPLETED, CANCELLED, EXPIRED, total } = await countEnvelopes(
      core,
      caller,
      query.workspaceId,
    )
    return {
      draft: DRAFT,
      sent: SENT,
      inProgress: IN_PROGRESS,
      completed: COMPLETED,
      cancelled: CANCELLED,
      expired: EXPIRED,
      total,
    }
  },
})
