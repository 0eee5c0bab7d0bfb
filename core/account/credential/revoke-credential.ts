// Revokes a credential for good: it gets no new token; issued tokens expire. Spec, Authentication 6.
import { recordAdminEvent, recordOperatorEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { CredentialId, OrgId } from '#core/ids.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import type { ClientId } from './new-credential.ts'
import { findOwner, lockCredential, markRevoked } from './store.ts'

/** Does nothing when it is already revoked. Throws CREDENTIAL_NOT_FOUND. */
export async function revokeCredential(core: Pick<Core, 'database'>, caller: PersonCaller, id: CredentialId): Promise<void> {
  await inOrganisation(core.database, caller.orgId, async (sql) => {
    if (!(await revoke(sql, caller.orgId, id))) return
    await recordAdminEvent(sql, caller, { action: 'credential.revoked', detail: { credentialId: id } })
  })
}

/** Revokes a credential of any organisation for the operator. Returns the credential's id. Needs a database of the system role. */
export async function revokeCredentialAsOperator(
  core: Pick<Core, 'database'>,
  wanted: CredentialId | ClientId,
): Promise<CredentialId> {
  const owner = await findOwner(core.database, wanted)
  if (!owner) throw new DomainError('CREDENTIAL_NOT_FOUND')
  const { orgId, credentialId } = owner
  await inOrganisation(core.database, orgId, async (sql) => {
    if (!(await revoke(sql, orgId, credentialId))) return
    await recordOperatorEvent(sql, orgId, { action: 'credential.revoked', detail: { credentialId } })
  })
  return credentialId
}

/** False when it was revoked before. */
async function revoke(sql: Sql, orgId: OrgId, id: CredentialId): Promise<boolean> {
  const credential = await lockCredential(sql, orgId, id)
  if (!credential) throw new DomainError('CREDENTIAL_NOT_FOUND')
  if (credential.revokedAt) return false
  await markRevoked(sql, orgId, id)
  return true
}
