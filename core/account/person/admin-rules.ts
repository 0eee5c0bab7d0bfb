// An organisation never loses its last person who can change its settings.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { PersonId } from '#core/ids.ts'
import type { Person } from './person.ts'

export type Admin = Pick<Person, 'id' | 'isInvited'>

/** Throws LAST_ADMIN when `leaving` is the only admin, or the only one who can sign in: an invitation may never be accepted. */
export function assertAdminStays(admins: readonly Admin[], leaving: PersonId): void {
  const one = admins.find(({ id }) => id === leaving)
  if (!one) return
  const others = admins.filter(({ id }) => id !== leaving)
  if (!others.some(({ isInvited }) => one.isInvited || !isInvited)) throw new DomainError('LAST_ADMIN')
}
