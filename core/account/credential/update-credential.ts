// Renames a credential or replaces its grants. Issued tokens follow at once, because roles are read at every request.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { CredentialId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { type Credential, readCredential } from './get-credential.ts'
import { lockForChange } from './lock-for-change.ts'
import type { CredentialInput } from './new-credential.ts'
import { replaceGrants } from './replace-grants.ts'
import { renameCredential } from './store.ts'

/** `workspaces` replaces every existing role. Throws CREDENTIAL_NOT_FOUND, CREDENTIAL_REVOKED, WORKSPACE_NOT_FOUND. */
export async function updateCredential(
  core: Pick<Core, 'database'>,
  caller: PersonCaller,
  id: CredentialId,
  { name, workspaces }: { [Field in keyof CredentialInput]?: CredentialInput[Field] | undefined },
): Promise<Credential> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    await lockForChange(sql, orgId, id)
    if (name !== undefined) await renameCredential(sql, orgId, id, name)
    if (workspaces) await replaceGrants(sql, orgId, id, workspaces)
    const changed = [...(name === undefined ? [] : ['name']), ...(workspaces ? ['workspaces'] : [])]
    const event = { action: 'credential.updated', detail: { credentialId: id, changed } } as const
    if (changed.length > 0) await recordAdminEvent(sql, caller, event)
    return readCredential(sql, orgId, id)
  })
}
