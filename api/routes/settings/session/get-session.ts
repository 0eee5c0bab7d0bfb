import { hashToken } from '#core/platform/crypto/tokens.ts'
import { resumeSession } from '#core/account/session/resume-session.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { PanelAuthError } from '../../../http/response/auth-errors.ts'
import { toSessionResponse } from '../../../responses/session.ts'
import { SessionResponse } from '../../../schemas/session.ts'

export const getSessionRoute = definePanelRoute({
  operationId: 'getSession',
  summary: 'Get the current session',
  access: 'member',
  factor: 'not needed',
  method: 'get',
  path: '/settings/api/session',
  params: z.object({}),
  success: 200,
  response: SessionResponse,
  errors: [],
  handle: async ({ core, cookie }) => {
    const person = cookie.token && (await resumeSession(core, cookie.token))
    if (!cookie.token || !person) throw new PanelAuthError(401)
    return toSessionResponse(core.keys.csrfToken(hashToken(cookie.token)), person)
  },
})
