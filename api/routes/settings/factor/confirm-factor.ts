import { confirmFactor } from '#core/account/factor/confirm-factor.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { CodeBody, RecoveryCodesResponse } from '../../../schemas/factor.ts'

export const confirmFactorRoute = definePanelRoute({
  operationId: 'confirmFactor',
  summary: 'Confirm the second factor with a first code',
  description: 'Ends all other sessions of the person. The recovery codes are shown this once.',
  access: 'member',
  factor: 'not needed',
  method: 'post',
  path: '/settings/api/factor/confirm',
  params: z.object({}),
  body: CodeBody,
  success: 200,
  response: RecoveryCodesResponse,
  errors: ['FACTOR_CODE_WRONG', 'FACTOR_NOT_BEGUN', 'FACTOR_ALREADY_SET', 'RATE_LIMITED', 'PASSWORD_SIGN_IN_OFF'],
  handle: async ({ core, caller, body, cookie }) => ({
    recoveryCodes: await confirmFactor(core, caller, { ...body, sessionToken: cookie.token ?? '', device: cookie.device }),
  }),
})
