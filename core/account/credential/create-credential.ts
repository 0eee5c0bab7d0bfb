// Issues a credential to an organisation: by its admins in the panel, or by the operator.
import { recordAdminEvent, recordOperatorEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { PERMISSIONS } from '#core/account/workspace/rules.ts'
import { findGeneralWorkspace } from '#core/account/workspace/store.ts'
import { type Credential, readCredential } from './get-credential.ts'
import { type CredentialInput, type NewCredential, newCredential } from './new-credential.ts'
import type { Grant } from './replace-grants.ts'

/** The record with its secret, which is shown only here. Throws WORKSPACE_NOT_FOUND by its constraint; then nothing was created. */
export async function createCredential(
  core: Pick<Core, 'database'>,
  caller: PersonCaller,
  input: CredentialInput,
): Promise<Credential & { clientSecret: string }> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const { id, clientId, clientSecret } = await newCredential(sql, orgId, input)
    const detail = { credentialId: id, clientId, name: input.name }
    await recordAdminEvent(sql, caller, { action: 'credential.created', detail })
    return { ...(await readCredential(sql, orgId, id)), clientSecret }
  })
}

/** Without grants the credential has every permission in General. Throws ORGANISATION_NOT_FOUND, and WORKSPACE_NOT_FOUND by its constraint. */
export async function createCredentialAsOperator(
  core: Pick<Core, 'database'>,
  orgId: OrgId,
  { name, grant }: { name: string; grant: { [Part in keyof Grant]?: Grant[Part] | undefined } },
): Promise<NewCredential> {
  return inOrganisation(core.database, orgId, async (sql) => {
    const general = await findGeneralWorkspace(sql, orgId)
    if (!general) throw new DomainError('ORGANISATION_NOT_FOUND')
    const { workspaceId = general, permissions = PERMISSIONS } = grant
    const created = await newCredential(sql, orgId, { name, workspaces: [{ workspaceId, permissions }] })
    const detail = { credentialId: created.id, clientId: created.clientId, name }
    await recordOperatorEvent(sql, orgId, { action: 'credential.created', detail })
    return created
  })
}
