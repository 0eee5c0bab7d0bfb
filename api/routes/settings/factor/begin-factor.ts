import { beginFactor } from '#core/account/factor/begin-factor.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { BeginFactorBody, BegunFactorResponse } from '../../../schemas/factor.ts'

export const beginFactorRoute = definePanelRoute({
  operationId: 'beginFactor',
  summary: 'Begin the set-up of a second factor',
  description: 'The secret has no effect until a code confirms it. Beginning again replaces it.',
  access: 'member',
  factor: 'not needed',
  method: 'post',
  path: '/settings/api/factor',
  params: z.object({}),
  body: BeginFactorBody,
  success: 201,
  response: BegunFactorResponse,
  errors: ['FACTOR_ALREADY_SET', 'PASSWORD_WRONG', 'RATE_LIMITED', 'PASSWORD_SIGN_IN_OFF', 'SERVICE_UNAVAILABLE'],
  handle: ({ core, caller, body, cookie }) => beginFactor(core, caller, { ...body, device: cookie.device }),
})
