// Deletes an empty workspace with the roles on it. The row lock comes first: a concurrent new envelope is either seen, or does not find the
// workspace.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { WorkspaceId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { brokenConstraint } from '#core/platform/postgres/postgres-error.ts'
import { lockForChange } from './lock-for-change.ts'
import { deleteWorkspace as deleteRow, hasEnvelopes } from './store.ts'

/** Throws WORKSPACE_NOT_FOUND, WORKSPACE_IS_GENERAL, WORKSPACE_NOT_EMPTY. */
export async function deleteWorkspace(core: Pick<Core, 'database'>, caller: PersonCaller, id: WorkspaceId): Promise<void> {
  const { orgId } = caller
  await inOrganisation(core.database, orgId, async (sql) => {
    const { name } = await lockForChange(sql, orgId, id)
    if (await hasEnvelopes(sql, orgId, id)) throw new DomainError('WORKSPACE_NOT_EMPTY')
    await deleteRow(sql, orgId, id).catch(toNotEmpty)
    await recordAdminEvent(sql, caller, { action: 'workspace.deleted', detail: { workspaceId: id, name } })
  })
}

/** An expired draft is hidden from the query but not from the foreign key, until the sweep deletes it. */
function toNotEmpty(error: unknown): never {
  throw brokenConstraint(error) === 'envelopes_workspace' ? new DomainError('WORKSPACE_NOT_EMPTY', { cause: error }) : error
}
