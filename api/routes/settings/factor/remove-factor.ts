import { removeFactor } from '#core/account/factor/remove-factor.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { CodeBody } from '../../../schemas/factor.ts'

export const removeFactorRoute = definePanelRoute({
  operationId: 'removeFactor',
  summary: 'Remove the own second factor with a code',
  description: 'Ends all other sessions of the person.',
  access: 'member',
  method: 'delete',
  path: '/settings/api/factor',
  params: z.object({}),
  body: CodeBody,
  success: 204,
  errors: ['FACTOR_CODE_WRONG', 'FACTOR_NOT_SET', 'RATE_LIMITED', 'PASSWORD_SIGN_IN_OFF'],
  handle: ({ core, caller, body, cookie }) =>
    removeFactor(core, caller, { ...body, sessionToken: cookie.token ?? '', device: cookie.device }),
})
