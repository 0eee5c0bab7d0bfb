// Turns a bearer token into a Caller. 401 without a valid token, 403 without the role, both without a body. Spec, Authentication.
import type { Core, CredentialCaller } from '#core/context.ts'
import { verifyAccessToken } from '#core/account/credential/verify-access-token.ts'
import type { Request } from 'express'
import { UnauthorisedError } from '../response/auth-errors.ts'
import { clientInfoOf } from './client-info.ts'

// RFC 6750, 2.1.
const SCHEME = /^Bearer +[^ ]/i
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** Authenticates a request. Throws UnauthorisedError. */
export async function authenticate(core: Core, request: Request): Promise<CredentialCaller> {
  const [given = '', ...others] = request.headersDistinct['authorization'] ?? []
  if (others.length > 0) throw new UnauthorisedError(401, 'The header Authorization must occur only once.')
  if (!SCHEME.test(given)) throw new UnauthorisedError(401)
  const [, token] = BEARER.exec(given) ?? []
  if (!token) throw new UnauthorisedError(401, 'The header Authorization contains no well-formed token.')
  const verdict = await verifyAccessToken(core, token)
  if (verdict.kind === 'invalid') throw new UnauthorisedError(401, 'The access token is not valid or has expired.')
  if (verdict.kind === 'without role') throw new UnauthorisedError(403)
  const { orgId, credentialId, clientId } = verdict
  return { kind: 'credential', orgId, credentialId, clientId, origin: clientInfoOf(request) }
}
