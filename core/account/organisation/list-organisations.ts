// Lists all organisations of the installation, for its operator.
import type { Core } from '#core/context.ts'
import { listOrganisations as selectOrganisations, type OrganisationRow } from './store.ts'

/** Oldest first. Needs a database of the system role. */
export async function listOrganisations(core: Pick<Core, 'database'>): Promise<OrganisationRow[]> {
  return selectOrganisations(core.database)
}
