import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { WorkspaceId } from '#core/ids.ts'
import { readInOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { holds } from '#core/account/workspace/rules.ts'
import { findReadableWorkspace, type ReadableWorkspace } from '#core/account/workspace/store.ts'

/** Throws WORKSPACE_NOT_FOUND as creating an envelope there would. */
export async function assertMayCreate(
  core: Pick<Core, 'database'>,
  caller: Caller,
  wanted: WorkspaceId | undefined,
): Promise<void> {
  await readInOrganisation(core.database, caller.orgId, (sql) => findWorkspaceToFill(sql, caller, wanted))
}

/** The wanted workspace, by default General, and the database's time. Throws WORKSPACE_NOT_FOUND when the caller cannot create there, whether it
 *  exists or not. Spec, notes on createEnvelope. */
export async function findWorkspaceToFill(sql: Sql, caller: Caller, wanted: WorkspaceId | undefined): Promise<ReadableWorkspace> {
  const workspace = await findReadableWorkspace(sql, caller, wanted)
  if (!workspace || !holds(workspace.permissions, 'envelope:create')) throw new DomainError('WORKSPACE_NOT_FOUND')
  return workspace
}
