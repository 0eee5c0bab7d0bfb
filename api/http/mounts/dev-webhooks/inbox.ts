// What the receiver of the embedded run shows at `/dev/webhooks`.

/** A status, or no answer until the service stops. */
export type ReceiverBehaviour = { status: number } | { hang: true }

export interface ReceivedRequest {
  /** Counts from 1. */
  id: number
  /** ISO 8601. */
  at: string
  method: string
  path: string
  headers: Record<string, string>
  /** The exact text. */
  body: string
  signatureValid: boolean
  /** How it was answered. */
  answer: ReceiverBehaviour
}

export interface WebhookInbox {
  /** The URL for a webhook. */
  endpointUrl: string
  /** The last ones, newest first. */
  requests: () => readonly ReceivedRequest[]
  behaviour: () => ReceiverBehaviour
  /** For requests from now on. */
  setBehaviour: (behaviour: ReceiverBehaviour) => void
}
