import { hashToken } from '#core/platform/crypto/tokens.ts'
import { endReplacedSession } from '#core/account/session/end-session.ts'
import { FACTOR_REQUIRED, signIn } from '#core/account/password/sign-in.ts'
import { z } from 'zod'
import { definePanelEntryRoute } from '../../../http/define-route.ts'
import { PanelAuthError } from '../../../http/response/auth-errors.ts'
import { toSessionResponse } from '../../../responses/session.ts'
import { FactorRequiredResponse, SessionResponse, SignInBody } from '../../../schemas/session.ts'

export const createSessionRoute = definePanelEntryRoute({
  operationId: 'createSession',
  summary: 'Sign in with email and password',
  description:
    'A person with a second factor gets `factorRequired` for the right password, and no session: repeat the request with a `code` of the authenticator app, or a recovery code. Each works once.',
  method: 'post',
  path: '/settings/api/session',
  params: z.object({}),
  body: SignInBody,
  success: 200,
  response: z.union([SessionResponse, FactorRequiredResponse]),
  errors: ['RATE_LIMITED', 'PASSWORD_SIGN_IN_OFF', 'SERVICE_UNAVAILABLE'],
  handle: async ({ core, body, origin, cookie }) => {
    const started = await signIn(core, { ...body, device: cookie.device }, origin)
    if (!started) throw new PanelAuthError(401)
    if (started === FACTOR_REQUIRED) return { factorRequired: true as const }
    if (cookie.token) await endReplacedSession(core, cookie.token)
    cookie.write(started.token)
    cookie.writeDevice(started.device)
    return toSessionResponse(core.keys.csrfToken(hashToken(started.token)), started.person)
  },
})
