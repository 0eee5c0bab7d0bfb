import { stepUp } from '#core/account/factor/step-up.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { CodeBody } from '../../../schemas/factor.ts'

export const stepUpRoute = definePanelRoute({
  operationId: 'stepUp',
  summary: 'Prove the second factor again',
  description:
    'For 15 minutes, the session may change keys, credentials and people. Only people with a second factor are asked, with `STEP_UP_REQUIRED`.',
  access: 'member',
  method: 'post',
  path: '/settings/api/session/step-up',
  params: z.object({}),
  body: CodeBody,
  success: 204,
  errors: ['FACTOR_CODE_WRONG', 'RATE_LIMITED', 'PASSWORD_SIGN_IN_OFF'],
  handle: ({ core, caller, body, cookie }) =>
    stepUp(core, caller, { ...body, sessionToken: cookie.token ?? '', device: cookie.device }),
})
