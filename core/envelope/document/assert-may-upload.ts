// A standalone upload belongs to no workspace yet, so it needs a permission that makes it useful somewhere.
import type { Caller, Core } from '#core/context.ts'
import { ForbiddenError } from '#core/account/workspace/forbidden.ts'
import { selectWorkspaceWith } from '#core/account/workspace/store.ts'
import { queryInOrganisation, type Sql } from '#core/platform/postgres/client.ts'

/** Throws ForbiddenError for a caller who may create envelopes in no workspace. */
export async function assertMayUpload(core: Pick<Core, 'database'>, caller: Caller): Promise<void> {
  const query = (sql: Sql) => selectWorkspaceWith(sql, caller, 'envelope:create')
  const [workspace] = await queryInOrganisation(core.database, caller.orgId, query)
  if (!workspace) throw new ForbiddenError('envelope:create')
}
