// What a process wants to lease of an organisation's due deliveries.
import type { WebhookId } from '#core/ids.ts'

export interface Claim {
  /** Identifies the process. */
  sender: string
  /** At most so many, and of those to slow webhooks. */
  places: number
  slowPlaces: number
  /** How many may wait in the process beyond those that may be open: of the organisation, and of each webhook that answers quickly. */
  prefetch: number
  webhookPrefetch: readonly { id: WebhookId; prefetch: number }[]
}
