// The secret with which a webhook's deliveries are signed. It is shown once, and encrypted in the database.
import type { WebhookId } from '#core/ids.ts'
import type { InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { newToken } from '#core/platform/crypto/tokens.ts'

/** Recognisable, so that secret scanners find leaked secrets. The whole text is the key of the HMAC. */
const PREFIX = 'whsec_'

/** A secret as the database holds it. */
export interface BoxedSecret {
  /** Encrypted. */
  secretBox: Buffer
  /** What the panel shows of it; empty for a given one. */
  lastFour: string
  /** Whether a user in Kubernetes chose it: then no part of it is shown or copied. */
  isGiven: boolean
}

type Sealing = Pick<InstallationKeys, 'seal'>

export function generateSecret(keys: Sealing, id: WebhookId): BoxedSecret & { secret: string } {
  const secret = PREFIX + newToken()
  return { secret, ...boxSecret(keys, id, secret, false) }
}

export function boxSecret(keys: Sealing, id: WebhookId, secret: string, isGiven: boolean): BoxedSecret {
  return { secretBox: keys.seal(secret, secretContext(id)), lastFour: isGiven ? '' : secret.slice(-4), isGiven }
}

/** Binds an encrypted secret to its webhook. */
export function secretContext(id: WebhookId): string {
  return `webhook ${id}`
}

/** Binds a secret that was read in Kubernetes to the object that names it. */
export function referenceContext(objectUid: string): string {
  return `webhook object ${objectUid}`
}
