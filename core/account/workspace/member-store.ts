// The SQL of people's grants on workspaces.
import type { OrgId, PersonId, WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Permission } from './rules.ts'

/** Lists the grants by the people's names. */
export async function listMemberGrants(
  sql: Sql,
  orgId: OrgId,
  workspaceId: WorkspaceId,
): Promise<{ personId: PersonId; permissions: Permission[] }[]> {
  return sql<{ personId: PersonId; permissions: Permission[] }[]>`
    select g.person_id, g.permissions
    from member_grants g
    join people p on p.org_id = g.org_id and p.id = g.person_id
    where g.org_id = ${orgId} and g.workspace_id = ${workspaceId}
    order by lower(p.name), p.id`
}

export async function deleteMemberGrants(sql: Sql, orgId: OrgId, workspaceId: WorkspaceId): Promise<void> {
  await sql`delete from member_grants where org_id = ${orgId} and workspace_id = ${workspaceId}`
}

export async function insertMemberGrant(
  sql: Sql,
  orgId: OrgId,
  workspaceId: WorkspaceId,
  personId: PersonId,
  permissions: readonly Permission[],
): Promise<void> {
  await sql`
    insert into member_grants (org_id, person_id, workspace_id, permissions)
    values (${orgId}, ${personId}, ${workspaceId}, ${sql.array([...permissions])}::text[])`
}
