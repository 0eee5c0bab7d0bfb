// A webhook as its object in Kubernetes shows it.
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Origin } from '#core/webhook/rules.ts'

export interface MirroredWebhook {
  orgId: OrgId
  id: WebhookId
  url: string
  description: string
  eventTypes: EventType[]
  origin: Origin
  /** Grows with every change that the object shows. */
  version: number
  createdAt: Date
  // It gets events only without any of these three.
  disabledByAdmin: boolean
  suspended: boolean
  disabledAutomatically: boolean
  /** Since when it has been disabled automatically. */
  disabledAt: Date | null
  consecutiveExhausted: number
  /** Whether its address has ever accepted an event, a test or a probe. */
  hasDelivered: boolean
  /** While it is disabled automatically and by no other vote. */
  nextProbeAt: Date | null
  lastProbeAt: Date | null
  /** The last request for a probe that was carried out. */
  lastProbeRequest: string | null
  /** Failure of the last delivery that used up its retries, or of a later probe. */
  lastFailure: { at: Date; code: string; /** A sentence. */ reason: string } | null
  secret: {
    /** Grows with every new secret. */
    revision: number
    /** The last request for a rotation that was carried out. */
    handledRequest: string | null
    /** Null when there is no previous secret, or it has expired. */
    previousExpiresAt: Date | null
    /** Name of the Secret that holds the secrets in use: with other secrets it has another name. Null for a webhook created in the panel, and for a
     *  given secret. */
    objectName: string | null
    /** Secrets that were created for the object and not deleted; without a uid it is not known whether one was. */
    created: { name: string; uid: string | null }[]
  }
  object: { namespace: string; name: string; uid: string; generation: number } | null
  orphanedAt: Date | null
}
