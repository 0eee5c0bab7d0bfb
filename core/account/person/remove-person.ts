// Removes a person from the organisation with their sessions, links and roles; the record of their acts stays.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { PersonId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { assertAdminStays } from './admin-rules.ts'
import { deletePerson, findPerson, lockAdmins } from './store.ts'

/** Throws PERSON_NOT_FOUND; LAST_ADMIN, also when two admins remove each other at the same time. */
export async function removePerson(core: Pick<Core, 'database' | 'log'>, caller: PersonCaller, id: PersonId): Promise<void> {
  const { orgId } = caller
  await inOrganisation(core.database, orgId, async (sql) => {
    // Before any read: a removal that waits here sees the result of the other one.
    const admins = await lockAdmins(sql, orgId)
    const person = await findPerson(sql, orgId, id)
    if (!person) throw new DomainError('PERSON_NOT_FOUND')
    assertAdminStays(admins, id)
    await deletePerson(sql, orgId, id)
    await recordAdminEvent(sql, caller, { action: 'person.removed', detail: { personId: id, email: person.email } })
  })
  core.log.info({ orgId, personId: id, by: caller.personId }, 'person.removed')
}
