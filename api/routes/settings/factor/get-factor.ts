import { getFactor } from '#core/account/factor/get-factor.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { FactorResponse } from '../../../schemas/factor.ts'

export const getFactorRoute = definePanelRoute({
  operationId: 'getFactor',
  summary: 'Get the state of the own second factor',
  access: 'member',
  factor: 'not needed',
  method: 'get',
  path: '/settings/api/factor',
  params: z.object({}),
  success: 200,
  response: FactorResponse,
  errors: [],
  handle: ({ core, caller }) => getFactor(core, caller),
})
