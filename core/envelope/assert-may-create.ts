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

/** The workspace, General when none is wanted, and the time by the database. One where the caller cannot create is not found, whether it exists or
 *  not: throws WORKSPACE_NOT_FOUND. Spec, notes on createEnvelope. */
export async function findWorkspaceToFill(sql: Sql, caller: Caller, wanted: WorkspaceId | undefined): Promise<ReadableWorkspace> {
  const workspace = await findReadableWorkspace(sql, caller, wanted)
  if (!workspace || !holds(workspace.permissions, 'envelope:create')) throw new DomainError('WORKSPACE_NOT_FOUND')
  return workspace
}
