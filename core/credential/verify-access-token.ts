// Reads an access token: ES256 only, our own keys only, the exact type, issuer and audience (RFC 8725). Anything else is no token.
import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Core } from '#core/context.ts'
import { CredentialId, OrgId } from '#core/ids.ts'
import { databaseNow } from '#core/postgres/now.ts'
import { ACCESS_TOKEN_TYPE, CLOCK_SKEW_SECONDS, ORG_API_ROLE } from './rules.ts'
import { tokenKeys } from './token-keys.ts'

const Claims = z.object({ sub: CredentialId, client_id: z.string(), roles: z.array(z.string()), svc_org_id: OrgId })

export type TokenVerdict =
  | { kind: 'caller'; orgId: OrgId; credentialId: CredentialId; clientId: string }
  | { kind: 'without role' }
  | { kind: 'invalid' }

type TokenCore = Pick<Core, 'database' | 'keys' | 'settings'>

/** Whom the token speaks for; `invalid` for whatever is wrong with it. */
export async function verifyAccessToken(core: TokenCore, token: string): Promise<TokenVerdict> {
  const payload = await readToken(core, token)
  const claims = Claims.safeParse(payload)
  if (!claims.success) return { kind: 'invalid' }
  const { sub, client_id, roles, svc_org_id } = claims.data
  if (!roles.includes(ORG_API_ROLE)) return { kind: 'without role' }
  return { kind: 'caller', orgId: svc_org_id, credentialId: sub, clientId: client_id }
}

async function readToken(core: TokenCore, token: string): Promise<JWTPayload | undefined> {
  try {
    return await verifyWith(core, token, { refresh: false })
  } catch (error) {
    // A key that another replica has just made is in the database, not yet in our copy.
    if (error instanceof errors.JWKSNoMatchingKey) return verifyWith(core, token, { refresh: true }).catch(noToken)
    return noToken(error)
  }
}

async function verifyWith(core: TokenCore, token: string, options: { refresh: boolean }): Promise<JWTPayload> {
  const { published } = await tokenKeys(core, options)
  const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: published }), {
    algorithms: ['ES256'],
    typ: ACCESS_TOKEN_TYPE,
    issuer: core.settings.publicUrl,
    audience: core.settings.publicUrl,
    requiredClaims: ['exp', 'iat', 'nbf', 'jti', 'sub'],
    clockTolerance: CLOCK_SKEW_SECONDS,
    currentDate: await databaseNow(core.database),
  })
  return payload
}

function noToken(error: unknown): undefined {
  if (error instanceof errors.JOSEError) return undefined
  throw error
}
