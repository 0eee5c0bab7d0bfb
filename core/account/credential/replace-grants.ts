// Replaces all grants of a credential.
import type { CredentialId, OrgId, WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Permission } from '#core/account/workspace/rules.ts'
import { deleteGrants, insertGrant, shareWorkspaces } from '#core/account/workspace/store.ts'

/** The permissions of a credential in one workspace. */
export interface Grant {
  workspaceId: WorkspaceId
  permissions: readonly Permission[]
}

/** Replaces every existing role. Throws WORKSPACE_NOT_FOUND by its constraint. */
export async function replaceGrants(sql: Sql, orgId: OrgId, id: CredentialId, grants: readonly Grant[]): Promise<void> {
  // Locked before any role: deleting a workspace locks it first and then its roles, so the other order would deadlock.
  await shareWorkspaces(
    sql,
    orgId,
    grants.map(({ workspaceId }) => workspaceId),
  )
  await deleteGrants(sql, orgId, id)
  for (const { workspaceId, permissions } of grants) await insertGrant(sql, orgId, id, workspaceId, permissions)
}
