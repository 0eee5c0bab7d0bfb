// The secret with which a webhook's deliveries are signed. It is shown once, and encrypted in the database.
import type { WebhookId } from '#core/ids.ts'
import { newToken } from '#core/platform/crypto/tokens.ts'

/** Recognisable, so that secret scanners find leaked secrets. The whole text is the key of the HMAC. */
const PREFIX = 'whsec_'

export function newWebhookSecret(): { secret: string; lastFour: string } {
  const secret = PREFIX + newToken()
  return { secret, lastFour: lastFourOf(secret) }
}

/** What the panel shows of it. */
export function lastFourOf(secret: string): string {
  return secret.slice(-4)
}

/** Binds an encrypted secret to its webhook. */
export function secretContext(id: WebhookId): string {
  return `webhook ${id}`
}

/** Binds a secret that was read in Kubernetes to the object that names it. */
export function referenceContext(objectUid: string): string {
  return `webhook object ${objectUid}`
}
