// Reads an access token that this installation has issued: ES256 only, our own keys only, the exact type, issuer and audience (RFC 8725).
import { type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Core } from '#core/context.ts'
import { CredentialId, OrgId } from '#core/ids.ts'
import { ACCESS_TOKEN_TYPE, CLOCK_SKEW_SECONDS, ORG_API_ROLE } from './rules.ts'
import { tokenKeys } from './token-keys.ts'
import type { VerifiedToken } from './token-cache.ts'

const Claims = z.object({
  sub: CredentialId,
  client_id: z.string(),
  roles: z.array(z.string()),
  svc_org_id: OrgId,
  exp: z.number(),
  nbf: z.number(),
  iat: z.number(),
})

/** The token's content, or undefined when a claim is missing or of another type. Throws jose's error for any other error in the token. */
export async function readServiceToken(
  core: Pick<Core, 'database' | 'keys' | 'settings'>,
  token: string,
  now: Date,
): Promise<VerifiedToken | undefined> {
  const { success, data } = Claims.safeParse(await verify(core, token, now))
  if (!success) return undefined
  const { sub, client_id, roles, svc_org_id, exp, nbf, iat } = data
  const times = { exp, nbf, iat }
  if (!roles.includes(ORG_API_ROLE)) return { times, holder: { kind: 'without role' } }
  return { times, holder: { kind: 'own', orgId: svc_org_id, credentialId: sub, clientId: client_id } }
}

async function verify(core: Pick<Core, 'database' | 'keys' | 'settings'>, token: string, now: Date): Promise<JWTPayload> {
  const { published } = await tokenKeys(core)
  const { payload } = await jwtVerify(token, published, {
    algorithms: ['ES256'],
    typ: ACCESS_TOKEN_TYPE,
    issuer: core.settings.publicUrl,
    audience: core.settings.publicUrl,
    requiredClaims: ['exp', 'iat', 'nbf', 'jti', 'sub'],
    clockTolerance: CLOCK_SKEW_SECONDS,
    currentDate: now,
  })
  return payload
}
