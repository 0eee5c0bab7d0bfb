// Lists the people with grants in a workspace.
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { OrgId, PersonId, WorkspaceId } from '#core/ids.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { listMemberGrants } from './member-store.ts'
import { type Permission, withReading } from './rules.ts'
import { findWorkspace } from './store.ts'

export interface Member {
  personId: PersonId
  permissions: Permission[]
}

/** The grants: an admin, who has every permission anyway, is listed only with a grant, and as a member. Throws WORKSPACE_NOT_FOUND. */
export async function listMembers(core: Pick<Core, 'database'>, { orgId }: PersonCaller, id: WorkspaceId): Promise<Member[]> {
  return inOrganisation(core.database, orgId, async (sql) => {
    if (!(await findWorkspace(sql, orgId, id))) throw new DomainError('WORKSPACE_NOT_FOUND')
    return readMembers(sql, orgId, id)
  })
}

/** Reads the members within a transaction that has checked the workspace. */
export async function readMembers(sql: Sql, orgId: OrgId, id: WorkspaceId): Promise<Member[]> {
  const rows = await listMemberGrants(sql, orgId, id)
  return rows.map(({ personId, permissions }) => ({ personId, permissions: withReading(permissions) }))
}
