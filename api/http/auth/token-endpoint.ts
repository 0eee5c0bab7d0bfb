// OAuth 2.0 client credentials: token, metadata and keys. Errors have the form of RFC 6749, except 405, 429 and 503, which it does not
// define: they have the API's form, whose `error` is also a string.
import type { Core } from '#core/context.ts'
import { issueAccessToken } from '#core/account/credential/issue-access-token.ts'
import { publishedKeys } from '#core/account/credential/published-keys.ts'
import { ORG_API_ROLE } from '#core/account/credential/rules.ts'
import { BodyLimitError } from '#core/platform/http/read-within.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { clientNetworkOf } from '#core/account/rate/client-network.ts'
import express, { type NextFunction, type Request, type Response, Router } from 'express'
import { readTokenRequest, type TokenErrorCode, type TokenRequest } from '../../routes/token/read-token-request.ts'
import { runParser } from '../body/run-parser.ts'
import { toDomainError } from '../response/error-handler.ts'
import { clientInfoOf } from './client-info.ts'
import type { RateLimiter } from '../middleware/rate-limiter.ts'
import type { RateName } from '../middleware/rates.ts'

const MAX_FORM_BYTES = 16 * 1024
const FORM = 'application/x-www-form-urlencoded'
const NO_FORM: TokenRequest = { error: 'invalid_request', description: `The body must be ${FORM}.`, basic: false }
const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }
const TOKEN_RATES: readonly RateName[] = ['token-network', 'token']

/** The three paths of the token endpoint. */
export function tokenEndpoint(core: Core, limitRates: RateLimiter, bodySeconds: number): Router {
  const router = Router({ caseSensitive: true })
  const parser = express.text({ type: FORM, limit: MAX_FORM_BYTES })
  const limits = { maxBytes: MAX_FORM_BYTES, maxSeconds: bodySeconds }
  const form = (request: Request, response: Response, next: NextFunction) =>
    runParser(parser, request, response, limits).then(() => next())
  router.post('/oauth2/token', form, refuseUnreadable, (request: Request, response: Response) =>
    issue(core, limitRates, request, response),
  )
  router.get('/oauth2/jwks', async (_request, response) => {
    response.set('Cache-Control', 'public, max-age=60').json(await publishedKeys(core))
  })
  router.get('/.well-known/oauth-authorization-server', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=3600').json(metadata(core.settings.publicUrl))
  })
  router.all(['/oauth2/token', '/oauth2/jwks', '/.well-known/oauth-authorization-server'], (request, response) => {
    response.set('Allow', request.path === '/oauth2/token' ? 'POST' : 'GET, HEAD')
    throw new DomainError('METHOD_NOT_ALLOWED')
  })
  return router
}

/** Turns a client error of the body parser into `invalid_request` (RFC 6749, 5.2). */
function refuseUnreadable(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  const known = toDomainError(error)
  if (!(known instanceof DomainError)) return next(error)
  response.set(NO_STORE)
  const description = error instanceof BodyLimitError ? error.message : 'The body cannot be read.'
  refuse(response, 'invalid_request', description, false)
}

async function issue(core: Core, limitRates: RateLimiter, request: Request, response: Response): Promise<void> {
  response.set(NO_STORE)
  const body: unknown = request.body
  const parsed = typeof body === 'string' ? readTokenRequest(new URLSearchParams(body), request.get('authorization')) : NO_FORM
  const network = clientNetworkOf(clientInfoOf(request).address ?? '')
  await limitRates(TOKEN_RATES, { network, ...('clientId' in parsed && { clientId: parsed.clientId }) }, response)
  if ('error' in parsed) return refuse(response, parsed.error, parsed.description, parsed.basic)
  const issued = await issueAccessToken(core, parsed.clientId, parsed.clientSecret)
  if (!issued) return refuse(response, 'invalid_client', 'Unknown client or wrong secret.', parsed.basic)
  response.json({
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: issued.expiresInSeconds,
    scope: ORG_API_ROLE,
  })
}

function refuse(response: Response, error: TokenErrorCode, description: string, basic: boolean): void {
  if (error === 'invalid_client' && basic) response.set('WWW-Authenticate', 'Basic realm="sealwright", charset="UTF-8"')
  response.status(error === 'invalid_client' ? 401 : 400).json({ error, error_description: description })
}

/** RFC 8414, section 2. No supported grant uses an authorization endpoint, so there is none, and no response type. */
function metadata(publicUrl: string) {
  return {
    issuer: publicUrl,
    token_endpoint: `${publicUrl}/oauth2/token`,
    jwks_uri: `${publicUrl}/oauth2/jwks`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: [ORG_API_ROLE],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    service_documentation: `${publicUrl}/docs`,
  }
}
