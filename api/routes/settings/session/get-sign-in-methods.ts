import { z } from 'zod'
import { definePanelEntryRoute } from '../../../http/define-route.ts'
import { SignInMethodsResponse } from '../../../schemas/session.ts'

export const getSignInMethodsRoute = definePanelEntryRoute({
  operationId: 'getSignInMethods',
  summary: 'List the sign-in methods of this installation',
  description: 'If `oidc` is available, send the browser to `/settings/oidc`.',
  method: 'get',
  path: '/settings/api/sign-in',
  params: z.object({}),
  success: 200,
  response: SignInMethodsResponse,
  errors: [],
  handle: async ({ core }) => ({ methods: core.settings.oidcIssuer ? ['oidc' as const] : ['password' as const] }),
})
