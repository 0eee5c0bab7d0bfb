// Reads the workspace that every organisation has.
import type { Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { OrgId, WorkspaceId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { findGeneralWorkspace } from './store.ts'

/** Throws ORGANISATION_NOT_FOUND. */
export async function getGeneralWorkspace(core: Pick<Core, 'database'>, orgId: OrgId): Promise<WorkspaceId> {
  const general = await inOrganisation(core.database, orgId, (sql) => findGeneralWorkspace(sql, orgId))
  if (!general) throw new DomainError('ORGANISATION_NOT_FOUND')
  return general
}
