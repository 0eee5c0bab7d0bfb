// A person who must sign, as all code but the database sees them.
import type { SignerId } from '#core/ids.ts'
import type { SignerStatus } from './rules.ts'

export interface Signer {
  id: SignerId
  email: string
  name: string
  signOrder: number
  status: SignerStatus
  signedAt: Date | null
}
