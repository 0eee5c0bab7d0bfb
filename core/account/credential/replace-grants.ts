// Where a credential may do what: all of it at once.
import type { CredentialId, OrgId, WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Permission } from '#core/account/workspace/rules.ts'
import { deleteGrants, insertGrant, shareWorkspaces } from '#core/account/workspace/store.ts'

/** What a credential may do in one workspace. */
export interface Grant {
  workspaceId: WorkspaceId
  permissions: readonly Permission[]
}

/** Replaces every role that there was. Throws WORKSPACE_NOT_FOUND by its constraint. */
export async function replaceGrants(sql: Sql, orgId: OrgId, id: CredentialId, grants: readonly Grant[]): Promise<void> {
  // Before any role is touched: who deletes a workspace holds it first and then takes its roles, and the two would wait for each other.
  await shareWorkspaces(
    sql,
    orgId,
    grants.map(({ workspaceId }) => workspaceId),
  )
  await deleteGrants(sql, orgId, id)
  for (const { workspaceId, permissions } of grants) await insertGrant(sql, orgId, id, workspaceId, permissions)
}
