// A person as the organisation's admins see them, and as found by email address.
import type { OrgId, PersonId } from '#core/ids.ts'

export interface Person {
  id: PersonId
  email: string
  name: string
  role: 'ADMIN' | 'MEMBER'
  createdAt: Date
  lastSignedInAt: Date | null
  /** Has neither set a password nor signed in yet. */
  isInvited: boolean
  /** The expiry of the link that sets a password; null when there is none. */
  setupLinkExpiresAt: Date | null
  /** Has set up a second factor for the sign-in with a password. */
  hasFactor: boolean
}

/** A person and their organisation. */
export interface PersonOwner {
  orgId: OrgId
  personId: PersonId
}

/** An account at an identity provider: the `iss` and `sub` of its ID tokens. */
export interface OidcAccount {
  issuer: string
  subject: string
}
