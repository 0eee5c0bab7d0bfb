import { endSession } from '#core/account/session/end-session.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'

export const deleteSessionRoute = definePanelRoute({
  operationId: 'deleteSession',
  summary: 'Sign out, in this browser or everywhere',
  access: 'member',
  factor: 'not needed',
  method: 'delete',
  path: '/settings/api/session',
  params: z.object({}),
  query: z.object({ everywhere: z.enum(['true', 'false']).optional() }),
  success: 204,
  errors: [],
  handle: async ({ core, caller, query, cookie }) => {
    if (cookie.token) await endSession(core, caller, { token: cookie.token, everywhere: query.everywhere === 'true' })
    cookie.clear()
  },
})
