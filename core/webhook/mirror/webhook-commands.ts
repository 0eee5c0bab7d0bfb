// What a user of Kubernetes may change of any webhook.
import type { WebhookId } from '#core/ids.ts'

export interface WebhookCommands {
  id: WebhookId
  suspend: boolean
  /** A new text asks for one rotation. */
  rotationRequest?: string | undefined
  /** A new text asks for one probe. */
  probeRequest?: string | undefined
  /** Generation of the object that was read. */
  generation: number
  /** That object; recorded for a webhook created in the panel. One managed in Kubernetes has its object from `applyManaged`. */
  object?: { uid: string; namespace: string; name: string } | undefined
}
