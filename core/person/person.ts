// A person as the organisation's admins see them.
import type { PersonId } from '#core/ids.ts'

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
