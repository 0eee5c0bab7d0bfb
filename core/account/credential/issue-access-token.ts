// Exchanges a client id and secret for an access token. Revocation takes effect here: a revoked credential gets no new token.
import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Core } from '#core/context.ts'
import { CredentialId, newId, OrgId } from '#core/ids.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { findCredentialOwner, useCredential } from './store.ts'
import { ACCESS_TOKEN_TYPE, ORG_API_ROLE } from './rules.ts'
import { tokenKeys } from './token-keys.ts'

export interface AccessToken {
  accessToken: string
  expiresInSeconds: number
}

/** A signed token (RFC 9068), or undefined for an unknown id, a wrong secret or a revoked credential: these do the same work, without
 *  a signature. */
export async function issueAccessToken(
  core: Pick<Core, 'database' | 'keys' | 'settings'>,
  clientId: string,
  clientSecret: string,
): Promise<AccessToken | undefined> {
  const secretHash = hashToken(clientSecret)
  const owner = await findCredentialOwner(core.database, clientId)
  const { orgId, credentialId } = owner ?? { orgId: newId(OrgId), credentialId: newId(CredentialId) }
  const credential = await inOrganisation(core.database, orgId, (sql) => useCredential(sql, orgId, credentialId, secretHash))
  if (!credential) return undefined
  const accessToken = await signToken(core, { orgId, credentialId, clientId })
  return { accessToken, expiresInSeconds: core.settings.accessTokenTtlSeconds }
}

async function signToken(
  core: Pick<Core, 'database' | 'keys' | 'settings'>,
  { orgId, credentialId, clientId }: { orgId: OrgId; credentialId: CredentialId; clientId: string },
): Promise<string> {
  const { signing } = await tokenKeys(core)
  const now = Math.floor((await databaseNow(core.database)).getTime() / 1000)
  return new SignJWT({ client_id: clientId, roles: [ORG_API_ROLE], svc_org_id: orgId })
    .setProtectedHeader({ alg: 'ES256', typ: ACCESS_TOKEN_TYPE, kid: signing.kid })
    .setIssuer(core.settings.publicUrl)
    .setAudience(core.settings.publicUrl)
    .setSubject(credentialId)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + core.settings.accessTokenTtlSeconds)
    .sign(signing.key)
}
