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

export interface WorkspaceRow {
  id: WorkspaceId
  name: string
  isGeneral: boolean
  groupsReady: boolean
  createdAt: Date
}

/** General for everybody, and where the credential holds a role. */
export async function listVisibleWorkspaces(sql: Sql, orgId: OrgId, credentialId: CredentialId): Promise<WorkspaceRow[]> {
  return sql<WorkspaceRow[]>`
    select w.id, w.name, w.is_general, w.groups_ready, w.created_at
    from workspaces w
    left join credential_grants g on g.org_id = w.org_id and g.workspace_id = w.id and g.credential_id = ${credentialId}
    where w.org_id = ${orgId} and (w.is_general or g.credential_id is not null)
    order by w.is_general desc, lower(w.name), w.id`
}
