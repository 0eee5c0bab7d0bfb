// A credential, as answers hold it.
import type { Credential } from '#core/account/credential/get-credential.ts'
import type { CredentialResponse } from '../schemas/credential.ts'

export function toCredentialResponse(credential: Credential): CredentialResponse {
  const { id, clientId, name, workspaces, createdAt, lastUsedAt, revokedAt, secretLastFour, issuer, previousSecretExpiresAt } =
    credential
  return {
    id,
    clientId,
    name,
    workspaces,
    createdAt: createdAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(revokedAt && { revokedAt: revokedAt.toISOString() }),
    secretLastFour,
    ...(issuer !== null && { issuer }),
    ...(previousSecretExpiresAt && { previousSecretExpiresAt: previousSecretExpiresAt.toISOString() }),
  }
}
