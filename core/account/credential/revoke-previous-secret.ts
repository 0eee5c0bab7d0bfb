// Ends the grace period of a rotation at once, when every system uses the new secret or the old one has leaked.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { CredentialId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { lockForChange } from './lock-for-change.ts'
import { deletePreviousSecrets } from './store.ts'

/** Does nothing when there is no previous secret. Throws CREDENTIAL_NOT_FOUND, CREDENTIAL_REVOKED. */
export async function revokePreviousSecret(core: Pick<Core, 'database'>, caller: PersonCaller, id: CredentialId): Promise<void> {
  await inOrganisation(core.database, caller.orgId, async (sql) => {
    await lockForChange(sql, caller.orgId, id)
    if (!(await deletePreviousSecrets(sql, caller.orgId, id))) return
    await recordAdminEvent(sql, caller, { action: 'credential.previous-secret-revoked', detail: { credentialId: id } })
  })
}
