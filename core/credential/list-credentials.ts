// The credentials of an organisation, for its admins.
import type { Core, PersonCaller } from '#core/context.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { type Credential, toCredential } from './get-credential.ts'
import { selectCredentials } from './store.ts'

/** Newest first; revoked ones stay in the list. */
export async function listCredentials(core: Pick<Core, 'database'>, { orgId }: PersonCaller): Promise<Credential[]> {
  const rows = await inOrganisation(core.database, orgId, (sql) => selectCredentials(sql, orgId))
  return rows.map(toCredential)
}
