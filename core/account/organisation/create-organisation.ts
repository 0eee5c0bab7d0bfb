// Creates a customer organisation with its General workspace, a first credential with every permission there, and an optional admin.
import { recordOperatorEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core } from '#core/context.ts'
import { hashPassword } from '#core/platform/crypto/password-hash.ts'
import { newCredential } from '#core/account/credential/new-credential.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { newId, OrgId, PersonId, WorkspaceId } from '#core/ids.ts'
import { issueSetupLink } from '#core/account/person/issue-setup-link.ts'
import { insertPerson } from '#core/account/person/store.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { PERMISSIONS } from '#core/account/workspace/rules.ts'
import { insertGeneralWorkspace } from '#core/account/workspace/store.ts'
import { insertOrganisation } from './store.ts'

export interface OrganisationInput {
  name: string
  admin?: { email: string; name: string; password: string | null }
}

export interface NewOrganisation {
  orgId: OrgId
  generalWorkspaceId: WorkspaceId
  clientId: string
  clientSecret: string
  /** Sets the admin's first password, see issue-setup-link; absent without such an admin. */
  setupToken?: string
}

/** Creates the organisation in one transaction. Secrets are only in the result. Throws EMAIL_TAKEN: operators see every organisation.
 *  Needs a database of the system role. */
export async function createOrganisation(
  core: Pick<Core, 'database'>,
  { name, admin }: OrganisationInput,
): Promise<NewOrganisation> {
  const orgId = newId(OrgId)
  const generalWorkspaceId = newId(WorkspaceId)
  const passwordHash = admin?.password ? await hashPassword(admin.password) : null
  return inTransaction(core.database, async (sql) => {
    await insertOrganisation(sql, orgId, name)
    await insertGeneralWorkspace(sql, orgId, generalWorkspaceId)
    const setupToken = admin && (await addAdmin(sql, orgId, admin, passwordHash))
    const workspaces = [{ workspaceId: generalWorkspaceId, permissions: PERMISSIONS }]
    const { clientId, clientSecret } = await newCredential(sql, orgId, { name: 'First credential', workspaces })
    await recordOperatorEvent(sql, orgId, { action: 'organisation.created', detail: { name } })
    return { orgId, generalWorkspaceId, clientId, clientSecret, ...(setupToken && { setupToken }) }
  })
}

async function addAdmin(
  sql: Sql,
  orgId: OrgId,
  { email, name }: { email: string; name: string },
  passwordHash: string | null,
): Promise<string | undefined> {
  const id = newId(PersonId)
  const { isElsewhere } = await insertPerson(sql, orgId, { id, email, name, role: 'ADMIN', passwordHash })
  if (isElsewhere) throw new DomainError('EMAIL_TAKEN')
  return passwordHash ? undefined : issueSetupLink(sql, orgId, id)
}
