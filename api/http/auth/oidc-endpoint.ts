// The two addresses of a sign-in at an identity provider. Browsers navigate to them, so errors redirect to the page that started the
// sign-in, with a code in the fragment.
import type { Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { beginSignIn, CALLBACK_PATH } from '#core/account/oidc/begin-sign-in.ts'
import { finishSignIn } from '#core/account/oidc/finish-sign-in.ts'
import { FLOW_SECONDS } from '#core/account/oidc/flow.ts'
import { endReplacedSession } from '#core/account/session/end-session.ts'
import { type Request, type Response, Router } from 'express'
import { clientInfoOf } from './client-info.ts'
import { cookieName, hardened, readCookie, sessionCookie } from './session-cookie.ts'

const FLOW = 'sealwright-oidc'
/** A path of the panel that no browser reads as another host. */
const OWN_PATH = /^\/settings(?:[/?][\w\-.~/?=&%+,:]{0,500})?$/

/** `/settings/oidc` and its callback; no routes unless an identity provider is configured. */
export function oidcEndpoint(core: Core): Router {
  const router = Router({ caseSensitive: true })
  if (!core.settings.oidcIssuer) return router
  router.get('/settings/oidc', (request, response) => begin(core, request, response))
  router.get(CALLBACK_PATH, (request, response) => finish(core, request, response))
  router.all(['/settings/oidc', CALLBACK_PATH], (_request, response) => {
    response.set('Allow', 'GET, HEAD')
    throw new DomainError('METHOD_NOT_ALLOWED')
  })
  return router
}

async function begin(core: Core, request: Request, response: Response): Promise<void> {
  const { publicUrl } = core.settings
  const wanted = request.query['returnTo']
  const returnTo = typeof wanted === 'string' && OWN_PATH.test(wanted) ? wanted : '/settings'
  const { url, flow } = await beginSignIn(core, { returnTo })
  // Lax: the provider's redirect back comes from another site, and browsers omit strict cookies there.
  const attributes = { ...hardened(publicUrl), sameSite: 'lax', maxAge: FLOW_SECONDS * 1_000 } as const
  response.cookie(cookieName(publicUrl, FLOW), flow, attributes)
  redirect(response, url)
}

async function finish(core: Core, request: Request, response: Response): Promise<void> {
  const { publicUrl } = core.settings
  const name = cookieName(publicUrl, FLOW)
  const flow = readCookie(request, name)
  response.clearCookie(name, hardened(publicUrl))
  const { search } = new URL(request.originalUrl, publicUrl)
  const callbackUrl = new URL(publicUrl + CALLBACK_PATH + search)
  const arrival = await finishSignIn(core, { flow, callbackUrl }, clientInfoOf(request))
  if (arrival.kind === 'refused') {
    redirect(response, `${publicUrl}/settings#error=${arrival.refusal}`)
    return
  }
  const cookie = sessionCookie(publicUrl, request, response)
  if (cookie.token) await endReplacedSession(core, cookie.token)
  cookie.write(arrival.started.token)
  redirect(response, publicUrl + arrival.returnTo)
}

function redirect(response: Response, url: string): void {
  response.set('Cache-Control', 'no-store').redirect(302, url)
}
