// Resets the second factor of a person who lost it: by another admin, or by the operator. All sessions of the person end.
import { type AdminEvent, recordAdminEvent, recordOperatorEvent } from '#core/account/activity/record-admin-event.ts'
import type { PersonOwner } from '#core/account/person/person.ts'
import { findPerson, findPersonOwner, lockPerson } from '#core/account/person/store.ts'
import { deleteSessionsOf } from '#core/account/session/store.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { OrgId, PersonId } from '#core/ids.ts'
import { recordFactorMail } from '#core/mail/record-mail.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { deleteFactor } from './store.ts'

/** Throws PERSON_NOT_FOUND; FACTOR_NOT_SET; OWN_FACTOR_RESET, because it would let an open browser do without the factor. */
export async function resetFactor(
  core: Pick<Core, 'database' | 'keys' | 'log'>,
  caller: PersonCaller,
  personId: PersonId,
): Promise<void> {
  const { orgId, origin } = caller
  if (personId === caller.personId) throw new DomainError('OWN_FACTOR_RESET')
  await inOrganisation(core.database, orgId, async (sql) => {
    const event = await resetIn(sql, core, { orgId, personId }, origin.address ?? '')
    await recordAdminEvent(sql, caller, event)
  })
  core.log.info({ orgId, personId, by: caller.personId }, 'factor.reset')
}

/** Removes the factor of the person who signs in with this address; with `orgId`, only in that organisation. Throws PERSON_NOT_FOUND, FACTOR_NOT_SET. Needs a
 *  database of the system role. */
export async function resetFactorAsOperator(
  core: Pick<Core, 'database' | 'keys'>,
  { email, orgId }: { email: string; orgId?: OrgId | undefined },
): Promise<PersonOwner> {
  const owner = await findPersonOwner(core.database, email)
  if (!owner || (orgId && owner.orgId !== orgId)) throw new DomainError('PERSON_NOT_FOUND')
  await inOrganisation(core.database, owner.orgId, async (sql) => {
    const event = await resetIn(sql, core, owner, '')
    await recordOperatorEvent(sql, owner.orgId, event)
  })
  return owner
}

async function resetIn(
  sql: Sql,
  { keys }: Pick<Core, 'keys'>,
  { orgId, personId }: PersonOwner,
  address: string,
): Promise<AdminEvent> {
  await lockPerson(sql, orgId, personId)
  const person = await findPerson(sql, orgId, personId)
  if (!person) throw new DomainError('PERSON_NOT_FOUND')
  if (!(await deleteFactor(sql, orgId, personId))) throw new DomainError('FACTOR_NOT_SET')
  await deleteSessionsOf(sql, orgId, personId)
  await recordFactorMail(sql, keys, orgId, personId, { change: 'RESET', address })
  return { action: 'factor.reset', detail: { personId, email: person.email } }
}
