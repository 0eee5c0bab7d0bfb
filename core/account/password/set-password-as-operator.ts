// The operator gives a person a password, for example the admin of an installation check. All their sessions end.
import { recordOperatorEvent } from '#core/account/activity/record-admin-event.ts'
import { deleteSessionsOf } from '#core/account/session/store.ts'
import type { Core } from '#core/context.ts'
import { hashPassword } from '#core/platform/crypto/password-hash.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { findPersonOwner, lockPerson, setPasswordHash } from '#core/account/person/store.ts'

/** Sets the password of the person who signs in with this address, in any organisation. Throws PERSON_NOT_FOUND. Needs a database of the system role. */
export async function setPasswordAsOperator(
  { database }: Pick<Core, 'database'>,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const owner = await findPersonOwner(database, email)
  if (!owner) throw new DomainError('PERSON_NOT_FOUND')
  const { orgId, personId } = owner
  const passwordHash = await hashPassword(password)
  await inOrganisation(database, orgId, async (sql) => {
    await lockPerson(sql, orgId, personId)
    await setPasswordHash(sql, orgId, personId, passwordHash)
    await deleteSessionsOf(sql, orgId, personId)
    await recordOperatorEvent(sql, orgId, { action: 'password.set', detail: {} })
  })
}
