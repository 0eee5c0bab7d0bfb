// The SQL of workspaces and of the roles that credentials and people have on them.
import type { Caller } from '#core/context.ts'
import type { CredentialId, OrgId, WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { type Permission, PERMISSIONS } from './rules.ts'

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

/** Deletes every role of the credential. */
export async function deleteGrants(sql: Sql, orgId: OrgId, credentialId: CredentialId): Promise<void> {
  await sql`delete from credential_grants where org_id = ${orgId} and credential_id = ${credentialId}`
}

export async function findGeneralWorkspace(sql: Sql, orgId: OrgId): Promise<WorkspaceId | undefined> {
  const [row] = await sql<{ id: WorkspaceId }[]>`select id from workspaces where org_id = ${orgId} and is_general`
  return row?.id
}

/** The one definition of read access: the caller's roles as rows of workspace_id and permissions, to be joined. Credentials and members have their
 *  grants, an admin everything everywhere. */
export function rolesOf(sql: Sql, caller: Caller) {
  const { orgId } = caller
  if (caller.kind === 'credential')
    return sql`
      (select workspace_id, permissions from credential_grants where org_id = ${orgId} and credential_id = ${caller.credentialId})`
  if (caller.role === 'MEMBER')
    return sql`(select workspace_id, permissions from member_grants where org_id = ${orgId} and person_id = ${caller.personId})`
  return sql`
    (select id as workspace_id, ${sql.array([...PERMISSIONS])}::text[] as permissions from workspaces where org_id = ${orgId})`
}

/** A workspace in which the caller has the permission, if any. */
export function selectWorkspaceWith(sql: Sql, caller: Caller, permission: Permission) {
  return sql<{ workspaceId: WorkspaceId }[]>`
    select g.workspace_id from ${rolesOf(sql, caller)} g where ${permission} = any(g.permissions) limit 1`
}

export interface ReadableWorkspace {
  id: WorkspaceId
  permissions: Permission[]
  /** The start of this transaction by the database clock: ISO 8601 with microseconds. */
  now: string
}

/** A workspace, by default General, with the caller's role on it; undefined without a role or a workspace. */
export async function findReadableWorkspace(
  sql: Sql,
  caller: Caller,
  wanted: WorkspaceId | undefined,
): Promise<ReadableWorkspace | undefined> {
  const [row] = await sql<ReadableWorkspace[]>`
    select w.id, g.permissions, to_char(sealwright_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now
    from workspaces w
    join ${rolesOf(sql, caller)} g on g.workspace_id = w.id
    where w.org_id = ${caller.orgId} and ${wanted ? sql`w.id = ${wanted}` : sql`w.is_general`}`
  return row
}

export interface WorkspaceRow {
  id: WorkspaceId
  name: string
  isGeneral: boolean
  groupsReady: boolean
  createdAt: Date
}

/** Throws the domain error of the violated constraint, see postgres-error. */
export async function insertWorkspace(sql: Sql, orgId: OrgId, id: WorkspaceId, name: string): Promise<WorkspaceRow> {
  const [row] = await sql<[WorkspaceRow]>`
    insert into workspaces (org_id, id, name)
    values (${orgId}, ${id}, ${name})
    returning id, name, is_general, groups_ready, created_at`
  return row
}

/** The caller holds the workspace's lock. */
export async function updateWorkspaceName(sql: Sql, orgId: OrgId, id: WorkspaceId, name: string): Promise<WorkspaceRow> {
  const [row] = await sql<[WorkspaceRow]>`
    update workspaces set name = ${name} where org_id = ${orgId} and id = ${id}
    returning id, name, is_general, groups_ready, created_at`
  return row
}

/** Without a check of the caller's role. */
export async function findWorkspace(sql: Sql, orgId: OrgId, id: WorkspaceId): Promise<{ isGeneral: boolean } | undefined> {
  const [row] = await sql<{ isGeneral: boolean }[]>`select is_general from workspaces where org_id = ${orgId} and id = ${id}`
  return row
}

/** Locks the row also against new rows that refer to it. */
export async function lockWorkspace(
  sql: Sql,
  orgId: OrgId,
  id: WorkspaceId,
): Promise<{ isGeneral: boolean; name: string } | undefined> {
  const [row] = await sql<{ isGeneral: boolean; name: string }[]>`
    select is_general, name from workspaces where org_id = ${orgId} and id = ${id} for update`
  return row
}

/** Prevents deletion of the workspaces until the transaction ends. */
export async function shareWorkspaces(sql: Sql, orgId: OrgId, ids: readonly WorkspaceId[]): Promise<void> {
  await sql`select from workspaces where org_id = ${orgId} and id = any(${sql.array([...ids])}::uuid[]) order by id for key share`
}

/** Blocks other changes of members and deletion; new envelopes are still possible. */
export async function lockWorkspaceForMembers(sql: Sql, orgId: OrgId, id: WorkspaceId): Promise<boolean> {
  const rows = await sql`select from workspaces where org_id = ${orgId} and id = ${id} for no key update`
  return rows.length > 0
}

/** Whether it has envelopes; the caller holds the lock. */
export async function hasEnvelopes(sql: Sql, orgId: OrgId, id: WorkspaceId): Promise<boolean> {
  const rows = await sql`select from envelopes where org_id = ${orgId} and workspace_id = ${id} limit 1`
  return rows.length > 0
}

/** With the roles on it. */
export async function deleteWorkspace(sql: Sql, orgId: OrgId, id: WorkspaceId): Promise<void> {
  await sql`delete from workspaces where org_id = ${orgId} and id = ${id}`
}

/** General for everyone, and those where the caller has a role. */
export async function listVisibleWorkspaces(sql: Sql, caller: Caller): Promise<WorkspaceRow[]> {
  return sql<WorkspaceRow[]>`
    select w.id, w.name, w.is_general, w.groups_ready, w.created_at
    from workspaces w
    left join ${rolesOf(sql, caller)} g on g.workspace_id = w.id
    where w.org_id = ${caller.orgId} and (w.is_general or g.workspace_id is not null)
    order by w.is_general desc, lower(w.name), w.id`
}
