// Lists the workspaces that a caller sees: an admin all, others General and those where they have a role.
import type { Caller, Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { listVisibleWorkspaces, type WorkspaceRow } from './store.ts'

export interface Workspace extends WorkspaceRow {
  orgId: OrgId
}

/** General first, then by name. */
export async function listWorkspaces(core: Pick<Core, 'database'>, caller: Caller): Promise<Workspace[]> {
  const { orgId } = caller
  const rows = await inOrganisation(core.database, orgId, (sql) => listVisibleWorkspaces(sql, caller))
  return rows.map((row) => ({ ...row, orgId }))
}
