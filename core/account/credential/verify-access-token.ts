// Finds the caller of an access token: by the claims of our own tokens, and for a trusted external issuer by the credential recorded for its client.
import { errors } from 'jose'
import type { Core } from '#core/context.ts'
import type { CredentialId, OrgId } from '#core/ids.ts'
import { currentTime } from '#core/platform/postgres/clock.ts'
import { resolveExternalClient } from './resolve-external-client.ts'
import { readExternalToken } from './external-token.ts'
import { readServiceToken } from './service-token.ts'
import { isCurrent } from './rules.ts'
import { claimedIssuer } from './peek-token.ts'
import { verifiedOnce, type VerifiedToken } from './token-cache.ts'

export type TokenVerdict =
  | { kind: 'caller'; orgId: OrgId; credentialId: CredentialId; clientId: string }
  | { kind: 'without role' }
  | { kind: 'invalid' }

type TokenCore = Pick<Core, 'database' | 'keys' | 'settings' | 'log'>

/** `invalid` for any error in the token. Throws SERVICE_UNAVAILABLE when its external issuer does not respond. */
export async function verifyAccessToken(core: TokenCore, token: string): Promise<TokenVerdict> {
  const now = await currentTime(core.database)
  const verified = await verifiedOnce(core.settings, token, () => readToken(core, token, now))
  if (!verified || !isCurrent(verified.times, now)) return { kind: 'invalid' }
  const { holder } = verified
  if (holder.kind === 'without role') return holder
  if (holder.kind === 'own') return { ...holder, kind: 'caller' }
  const credentialId = await resolveExternalClient(core, holder)
  if (!credentialId) return { kind: 'invalid' }
  return { kind: 'caller', orgId: holder.orgId, clientId: holder.clientId, credentialId }
}

async function readToken(core: TokenCore, token: string, now: Date): Promise<VerifiedToken | undefined> {
  const issuer = claimedIssuer(token)
  const outside = core.settings.trustedTokenIssuers.find((trusted) => trusted.issuer === issuer)
  try {
    if (issuer === core.settings.publicUrl) return await readServiceToken(core, token, now)
    return outside && (await readExternalToken(outside, token, now))
  } catch (error) {
    // jose throws a TypeError for a key that does not suit the algorithm, such as one with too few bits.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}
