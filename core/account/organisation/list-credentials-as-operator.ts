// Lists the credentials of an organisation, for the operator.
import type { Core } from '#core/context.ts'
import type { Credential } from '#core/account/credential/get-credential.ts'
import { listCredentials } from '#core/account/credential/list-credentials.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { OrgId } from '#core/ids.ts'
import { findOrganisation } from './store.ts'

/** Lists the credentials for the operator, like `listCredentials`. Throws ORGANISATION_NOT_FOUND. Needs a database of the system role. */
export async function listCredentialsAsOperator(core: Pick<Core, 'database'>, orgId: OrgId): Promise<Credential[]> {
  if (!(await findOrganisation(core.database, orgId))) throw new DomainError('ORGANISATION_NOT_FOUND')
  return listCredentials(core, { orgId })
}
