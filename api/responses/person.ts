// A person of the organisation, as answers hold it.
import type { Person } from '#core/account/person/person.ts'
import type { PersonResponse } from '../schemas/person.ts'

export function toPersonResponse(person: Person): PersonResponse {
  const { id, email, name, role, isInvited, createdAt, lastSignedInAt, setupLinkExpiresAt, hasFactor } = person
  return {
    id,
    email,
    name,
    role,
    state: isInvited ? 'INVITED' : 'ACTIVE',
    createdAt: createdAt.toISOString(),
    lastSignedInAt: lastSignedInAt?.toISOString() ?? null,
    setupLinkExpiresAt: setupLinkExpiresAt?.toISOString() ?? null,
    secondFactor: hasFactor,
  }
}
