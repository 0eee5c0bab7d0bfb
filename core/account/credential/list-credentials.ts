// Lists the credentials of an organisation, for its admins.
import type { Core, PersonCaller } from '#core/context.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { type Credential, toCredential } from './get-credential.ts'
import { selectCredentials } from './store.ts'

/** Newest first; revoked ones are included. */
export async function listCredentials(
  core: Pick<Core, 'database'>,
  { orgId }: Pick<PersonCaller, 'orgId'>,
): Promise<Credential[]> {
  const rows = await inOrganisation(core.database, orgId, (sql) => selectCredentials(sql, orgId))
  return rows.map(toCredential)
}
