import { hashToken } from '#core/platform/crypto/tokens.ts'
import { changePassword } from '#core/account/password/change-password.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { ChangePasswordBody } from '../../../schemas/person.ts'
import { toSessionResponse } from '../../../responses/session.ts'
import { SessionResponse } from '../../../schemas/session.ts'

export const changePasswordRoute = definePanelRoute({
  operationId: 'changePassword',
  summary: 'Change the password',
  description: 'Ends all other sessions of the person. This browser gets a new session, cookie and CSRF token.',
  access: 'member',
  factor: 'recent',
  method: 'put',
  path: '/settings/api/password',
  params: z.object({}),
  body: ChangePasswordBody,
  success: 200,
  response: SessionResponse,
  errors: ['PASSWORD_WRONG', 'PASSWORD_TOO_WEAK', 'RATE_LIMITED', 'PASSWORD_SIGN_IN_OFF', 'SERVICE_UNAVAILABLE'],
  handle: async ({ core, caller, body, cookie }) => {
    const started = await changePassword(core, caller, { ...body, device: cookie.device })
    cookie.write(started.token)
    return toSessionResponse(core.keys.csrfToken(hashToken(started.token)), started.person)
  },
})
