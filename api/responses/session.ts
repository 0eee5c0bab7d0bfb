// The session of a browser, as answers hold it.
import type { OrgId, PersonId } from '#core/ids.ts'
import type { SessionResponse } from '../schemas/session.ts'

export interface SignedInPerson {
  orgId: OrgId
  personId: PersonId
  email: string
  name: string
  role: 'ADMIN' | 'MEMBER'
  organisationName: string
  /** Whether the person lacks a factor that the organisation requires. */
  lacksFactor: boolean
}

export function toSessionResponse(
  csrfToken: string,
  { orgId, personId, email, name, role, organisationName, lacksFactor }: SignedInPerson,
): SessionResponse {
  return {
    csrfToken,
    admin: { id: personId, email, name, role },
    organisation: { id: orgId, name: organisationName },
    ...(lacksFactor && { mustSetUpFactor: true }),
  }
}
