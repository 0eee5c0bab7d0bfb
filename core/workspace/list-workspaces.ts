// The workspaces that a credential sees: General, and those on which it holds a role.
import type { Caller, Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { listVisibleWorkspaces, type WorkspaceRow } from './store.ts'

export interface Workspace extends WorkspaceRow {
  orgId: OrgId
}

/** General first, then by name. */
export async function listWorkspaces(core: Pick<Core, 'database'>, { orgId, credentialId }: Caller): Promise<Workspace[]> {
  const rows = await inOrganisation(core.database, orgId, (sql) => listVisibleWorkspaces(sql, orgId, credentialId))
  return rows.map((row) => ({ ...row, orgId }))
}
