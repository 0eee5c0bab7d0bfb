// The first step of every change of a workspace: the row lock, and the check that it is not General.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { OrgId, WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { lockWorkspace } from './store.ts'

/** Locks until the transaction ends, also against new envelopes in it. Throws WORKSPACE_NOT_FOUND, WORKSPACE_IS_GENERAL. */
export async function lockForChange(sql: Sql, orgId: OrgId, id: WorkspaceId): Promise<{ name: string }> {
  const workspace = await lockWorkspace(sql, orgId, id)
  if (!workspace) throw new DomainError('WORKSPACE_NOT_FOUND')
  if (workspace.isGeneral) throw new DomainError('WORKSPACE_IS_GENERAL')
  return workspace
}
