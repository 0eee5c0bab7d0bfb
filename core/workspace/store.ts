// The SQL of workspaces and of the roles that credentials hold on them.
import type { CredentialId, OrgId, WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { Permission, Role } from './rules.ts'

export async function insertGeneralWorkspace(sql: Sql, orgId: OrgId, id: WorkspaceId): Promise<void> {
  await sql`insert into workspaces (org_id, id, name, is_general) values (${orgId}, ${id}, 'General', true)`
}

export async function insertGrant(
  sql: Sql,
  orgId: OrgId,
  credentialId: CredentialId,
  workspaceId: WorkspaceId,
  permissions: readonly Permission[],
): Promise<void> {
  await sql`
    insert into credential_grants (org_id, credential_id, workspace_id, permissions)
    values (${orgId}, ${credentialId}, ${workspaceId}, ${sql.array([...permissions])}::text[])`
}

export async function findGeneralWorkspace(sql: Sql, orgId: OrgId): Promise<WorkspaceId | undefined> {
  const [row] = await sql<{ id: WorkspaceId }[]>`select id from workspaces where org_id = ${orgId} and is_general`
  return row?.id
}

/** The role that a credential holds on a workspace, or undefined when it holds none or the workspace is not there. */
export async function findRole(sql: Sql, orgId: OrgId, credentialId: CredentialId, workspaceId: WorkspaceId): Promise<Role> {
  const [row] = await sql<{ permissions: Permission[] }[]>`
    select permissions
    from credential_grants
    where org_id = ${orgId} and credential_id = ${credentialId} and workspace_id = ${workspaceId}`
  return row?.permissions
}
