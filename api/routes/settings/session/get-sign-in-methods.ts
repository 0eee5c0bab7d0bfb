import { z } from 'zod'
import { definePanelEntryRoute } from '../../../http/define-route.ts'
import { SignInMethodsResponse } from '../../../schemas/session.ts'

export const getSignInMethodsRoute = definePanelEntryRoute({
  operationId: 'getSignInMethods',
  summary: 'How people sign in to this installation',
  description: 'With `oidc`, send the browser to `/settings/oidc`.',
  method: 'get',
  path: '/settings/api/sign-in',
  params: z.object({}),
  success: 200,
  response: SignInMethodsResponse,
  errors: [],
  handle: async ({ core }) => ({ methods: core.settings.oidcIssuer ? ['oidc' as const] : ['password' as const] }),
})
