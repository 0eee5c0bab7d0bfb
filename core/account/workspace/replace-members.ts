// Replaces the members of a workspace: the whole list in one transaction, so that no reader sees half of it.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { WorkspaceId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { type Member, readMembers } from './list-members.ts'
import { keepPeople } from '#core/account/person/store.ts'
import { deleteMemberGrants, insertMemberGrant, listMemberGrants } from './member-store.ts'
import { lockWorkspaceForMembers } from './store.ts'

/** A grant to an admin is stored and has no effect while the person is one. Throws WORKSPACE_NOT_FOUND, and PERSON_NOT_FOUND by its constraint; then
 *  nothing has changed. */
export async function replaceMembers(
  core: Pick<Core, 'database'>,
  caller: PersonCaller,
  id: WorkspaceId,
  members: readonly Member[],
): Promise<Member[]> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    if (!(await lockWorkspaceForMembers(sql, orgId, id))) throw new DomainError('WORKSPACE_NOT_FOUND')
    const before = await listMemberGrants(sql, orgId, id)
    await keepPeople(
      sql,
      orgId,
      [...before, ...members].map(({ personId }) => personId),
    )
    await deleteMemberGrants(sql, orgId, id)
    for (const { personId, permissions } of members) await insertMemberGrant(sql, orgId, id, personId, permissions)
    const detail = { workspaceId: id, members: members.map(({ personId, permissions }) => ({ personId, permissions })) }
    await recordAdminEvent(sql, caller, { action: 'workspace.members-set', detail })
    return readMembers(sql, orgId, id)
  })
}
