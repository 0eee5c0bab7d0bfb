// Lists the organisation's people, for its admins.
import type { Core, PersonCaller } from '#core/context.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import type { Person } from './person.ts'
import { listPeople as selectPeople } from './store.ts'

/** Lists the people by name. */
export async function listPeople(core: Pick<Core, 'database'>, { orgId }: PersonCaller): Promise<Person[]> {
  return inOrganisation(core.database, orgId, (sql) => selectPeople(sql, orgId))
}
