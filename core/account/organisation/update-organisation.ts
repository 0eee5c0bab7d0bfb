// Admins change their organisation's settings. Quotas belong to the installation and cannot be changed here.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { type Organisation, readOrganisation } from './get-organisation.ts'
import { type OrganisationChanges, updateOrganisationChoices } from './store.ts'

/** Changes the given settings and leaves the others; `retentionDays: null` returns to the installation's setting. */
export async function updateOrganisation(
  core: Pick<Core, 'database' | 'settings'>,
  caller: PersonCaller,
  changes: OrganisationChanges,
): Promise<Organisation> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    await updateOrganisationChoices(sql, orgId, changes)
    const changed = Object.entries(changes).flatMap(([choice, value]) => (value === undefined ? [] : [choice]))
    if (changed.length > 0) await recordAdminEvent(sql, caller, { action: 'organisation.updated', detail: { changed } })
    return readOrganisation(sql, core, orgId)
  })
}
