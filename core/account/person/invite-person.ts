// Invites a new person of the organisation by email.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { newId, PersonId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { mailInvitation } from './mail-invitation.ts'
import type { Person } from './person.ts'
import { findPerson, insertPerson, lockPerson, renewAddress, unbindOidcAccount } from './store.ts'

export interface PersonInput {
  email: string
  name: string
  role: 'ADMIN' | 'MEMBER'
}

type InvitingCore = Pick<Core, 'database' | 'keys' | 'settings'>

/** Throws EMAIL_TAKEN for an address of this organisation, QUOTA_EXCEEDED. An address that signs in to another organisation gets the same answer; its
 *  invitation says what to do. */
export async function invitePerson(core: InvitingCore, caller: PersonCaller, input: PersonInput): Promise<Person> {
  const { orgId } = caller
  const id = newId(PersonId)
  return inOrganisation(core.database, orgId, async (sql) => {
    await insertPerson(sql, orgId, { id, ...input, passwordHash: null })
    await mailInvitation(core, sql, orgId, id)
    await recordAdminEvent(sql, caller, {
      action: 'person.invited',
      detail: { personId: id, email: input.email, role: input.role },
    })
    const person = await findPerson(sql, orgId, id)
    if (!person) throw new Error('A person who was just invited is not there.')
    return person
  })
}

/** Emails a new link to a person who lost theirs or forgot the password; the old password works until the new one is set. With an identity provider, the
 *  next sign-in binds its account again. Throws PERSON_NOT_FOUND, QUOTA_EXCEEDED. */
export async function inviteAgain(core: InvitingCore, caller: PersonCaller, id: PersonId): Promise<void> {
  const { orgId } = caller
  await inOrganisation(core.database, orgId, async (sql) => {
    await lockPerson(sql, orgId, id)
    const person = await findPerson(sql, orgId, id)
    if (!person) throw new DomainError('PERSON_NOT_FOUND')
    await renewAddress(sql, orgId, person)
    await unbindOidcAccount(sql, orgId, id)
    await mailInvitation(core, sql, orgId, id)
    await recordAdminEvent(sql, caller, { action: 'person.invited-again', detail: { personId: id, email: person.email } })
  })
}
