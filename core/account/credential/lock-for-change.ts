// The first step of every change of a credential: the row lock, which serialises changes of its secrets and roles.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { CredentialId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { lockCredential } from './store.ts'

/** Locks until the transaction ends. Throws CREDENTIAL_NOT_FOUND, CREDENTIAL_REVOKED. */
export async function lockForChange(sql: Sql, orgId: OrgId, id: CredentialId): Promise<void> {
  const credential = await lockCredential(sql, orgId, id)
  if (!credential) throw new DomainError('CREDENTIAL_NOT_FOUND')
  if (credential.revokedAt) throw new DomainError('CREDENTIAL_REVOKED')
}
