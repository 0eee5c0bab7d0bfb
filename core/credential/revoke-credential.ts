// Revokes a credential for good: no new token from now on; tokens that run already end by themselves. Spec, Authentication 6.
import type { Core } from '#core/context.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import type { CredentialId, OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { findOrganisationOf, lockCredential, markRevoked } from './store.ts'

/** Does nothing when it is revoked already. Throws CREDENTIAL_NOT_FOUND. */
export async function revokeCredential(
  core: Pick<Core, 'database'>,
  { orgId }: { orgId: OrgId },
  id: CredentialId,
): Promise<void> {
  await inOrganisation(core.database, orgId, async (sql) => {
    if (!(await lockCredential(sql, orgId, id))) throw new DomainError('CREDENTIAL_NOT_FOUND')
    await markRevoked(sql, orgId, id)
  })
}

/** The same by the operator, whose organisation it may be. Needs a database of the system role. */
export async function revokeAnyCredential(core: Pick<Core, 'database'>, id: CredentialId): Promise<void> {
  const orgId = await findOrganisationOf(core.database, id)
  if (!orgId) throw new DomainError('CREDENTIAL_NOT_FOUND')
  await revokeCredential(core, { orgId }, id)
}
