// Lists the credentials of an organisation, for its admins.
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { OrgId } from '#core/ids.ts'
import { findOrganisation } from '#core/account/organisation/store.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { type Credential, toCredential } from './get-credential.ts'
import { selectCredentials } from './store.ts'

/** The same for the operator. Throws ORGANISATION_NOT_FOUND. Needs a database of the system role. */
export async function listCredentialsAsOperator(core: Pick<Core, 'database'>, orgId: OrgId): Promise<Credential[]> {
  if (!(await findOrganisation(core.database, orgId))) throw new DomainError('ORGANISATION_NOT_FOUND')
  return listCredentials(core, { orgId })
}

/** Newest first; revoked ones are included. */
export async function listCredentials(
  core: Pick<Core, 'database'>,
  { orgId }: Pick<PersonCaller, 'orgId'>,
): Promise<Credential[]> {
  const rows = await inOrganisation(core.database, orgId, (sql) => selectCredentials(sql, orgId))
  return rows.map(toCredential)
}
