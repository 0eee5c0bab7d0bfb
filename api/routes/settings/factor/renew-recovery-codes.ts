import { renewRecoveryCodes } from '#core/account/factor/issue-recovery-codes.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { RecoveryCodesResponse } from '../../../schemas/factor.ts'

export const renewRecoveryCodesRoute = definePanelRoute({
  operationId: 'renewRecoveryCodes',
  summary: 'Issue new recovery codes; earlier ones stop working',
  access: 'member',
  factor: 'recent',
  method: 'post',
  path: '/settings/api/factor/recovery-codes',
  params: z.object({}),
  success: 200,
  response: RecoveryCodesResponse,
  errors: ['FACTOR_NOT_SET'],
  handle: async ({ core, caller }) => ({ recoveryCodes: await renewRecoveryCodes(core, caller) }),
})
