// Reads an access token of a trusted external issuer, such as Keycloak. The issuer names organisation and client; an admin of the organisation grants
// the client its permissions.
import { type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import type { TrustedIssuer } from '#core/platform/config/trusted-issuers.ts'
import { OrgId } from '#core/ids.ts'
import { MAX_NAME_CHARACTERS } from '#core/limits.ts'
import { issuerKeys } from './issuer-keys.ts'
import { ACCESS_TOKEN_TYPE, CLOCK_SKEW_SECONDS, ORG_API_ROLE } from './rules.ts'
import type { TokenHolder, VerifiedToken } from './token-cache.ts'

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
/** Keycloak and others write plain JWT where RFC 9068 requires at+jwt. */
const TYPES = [ACCESS_TOKEN_TYPE, 'jwt']

const ClientId = z.string().min(1).max(MAX_NAME_CHARACTERS)
const Claims = z.object({
  exp: z.number(),
  nbf: z.number().optional(),
  iat: z.number().optional(),
  client_id: ClientId.optional(),
  azp: ClientId.optional(),
  sub: ClientId.optional(),
  // Keycloak's own claim: its ID and refresh tokens are no access tokens, although they are signed with the same key (RFC 8725, 3.12).
  typ: z.literal('Bearer').optional(),
  // A sender-constrained token is no bearer token (RFC 7800).
  cnf: z.undefined().optional(),
})
const Members = z.record(z.string(), z.unknown())
const Roles = z.union([z.array(z.string()), z.string().transform((text) => text.split(' '))])

/** The token's content, or undefined when a claim is missing or of another type. Throws jose's error for any other error in the token, and
 *  SERVICE_UNAVAILABLE while the issuer's keys cannot be fetched. */
export async function readExternalToken(issuer: TrustedIssuer, token: string, now: Date): Promise<VerifiedToken | undefined> {
  const { payload, protectedHeader } = await jwtVerify(token, issuerKeys(issuer), {
    algorithms: ALGORITHMS,
    issuer: issuer.issuer,
    audience: issuer.audience,
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_SKEW_SECONDS,
    currentDate: now,
  })
  return isAccessToken(protectedHeader) ? readClaims(issuer, payload) : undefined
}

function readClaims(issuer: TrustedIssuer, payload: JWTPayload): VerifiedToken | undefined {
  const claims = Claims.safeParse(payload)
  const orgId = OrgId.safeParse(claimAt(payload, issuer.orgClaim))
  if (!claims.success || !orgId.success) return undefined
  const { exp, nbf, iat, client_id, azp, sub } = claims.data
  const clientId = client_id ?? azp ?? sub
  if (!clientId) return undefined
  const roles = Roles.safeParse(claimAt(payload, issuer.rolesClaim))
  const holder: TokenHolder = roles.data?.includes(ORG_API_ROLE)
    ? { kind: 'outside', issuer: issuer.issuer, orgId: orgId.data, clientId }
    : { kind: 'without role' }
  return { times: { exp, nbf, iat }, holder }
}

function isAccessToken({ typ }: JWTHeaderParameters): boolean {
  return typ !== undefined && TYPES.includes(typ.toLowerCase().replace(/^application\//, ''))
}

/** The claim with exactly this name (which may be a URL), else the one that its dots lead to. */
function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((value, name) => Members.safeParse(value).data?.[name], claims)
}
