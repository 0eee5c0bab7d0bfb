// A person as the organisation's admins see them, and as they are found by their address.
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
  /** Of the link that sets a password; null where there is none. */
  setupLinkExpiresAt: Date | null
}

/** Whose it is: a person and their organisation. */
export interface PersonOwner {
  orgId: OrgId
  personId: PersonId
}
