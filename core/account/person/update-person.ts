// Changes a person's name or role. Sessions continue and have the new role at their next request.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { PersonId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import type { Person } from './person.ts'
import { assertAdminStays } from './admin-rules.ts'
import { findPerson, lockAdmins, updatePersonRow } from './store.ts'

export interface PersonChange {
  name?: string | undefined
  role?: 'ADMIN' | 'MEMBER' | undefined
}

/** Absent fields stay unchanged. Throws PERSON_NOT_FOUND; LAST_ADMIN, also when two admins step down at the same time. */
export async function updatePerson(
  core: Pick<Core, 'database'>,
  caller: PersonCaller,
  id: PersonId,
  { name, role }: PersonChange,
): Promise<Person> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const admins = await lockAdmins(sql, orgId)
    const person = await findPerson(sql, orgId, id)
    if (!person) throw new DomainError('PERSON_NOT_FOUND')
    if (role === 'MEMBER') assertAdminStays(admins, id)
    const updated = { ...person, name: name ?? person.name, role: role ?? person.role }
    await updatePersonRow(sql, orgId, updated)
    await recordAdminEvent(sql, caller, {
      action: 'person.updated',
      detail: { personId: id, email: person.email, ...(name && { name }), ...(role && { role }) },
    })
    return updated
  })
}
