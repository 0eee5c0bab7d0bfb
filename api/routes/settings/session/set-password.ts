import { setPassword } from '#core/account/password/set-password.ts'
import { z } from 'zod'
import { definePanelEntryRoute } from '../../../http/define-route.ts'
import { SetPasswordBody } from '../../../schemas/person.ts'

export const setPasswordRoute = definePanelEntryRoute({
  operationId: 'setPassword',
  summary: 'Set a password with a one-time link',
  description: 'The token is the part after the # of `/settings/setup#token`. Ends all sessions of the person.',
  method: 'post',
  path: '/settings/api/password',
  params: z.object({}),
  body: SetPasswordBody,
  success: 204,
  errors: ['SETUP_LINK_NOT_FOUND', 'PASSWORD_TOO_WEAK', 'PASSWORD_SIGN_IN_OFF'],
  handle: ({ core, body, origin }) => setPassword(core, body, origin),
})
