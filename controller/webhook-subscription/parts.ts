// The parts of an object that decisions read, without optional members. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import type { CommandFields, ProjectedFields } from './effect.ts'
import type { WebhookSubscription } from './resource.ts'

export interface Identity {
  name: string
  uid: string
  generation: number
  resourceVersion: string
  annotations: Record<string, string>
  finalizers: string[]
  isLeaving: boolean
}

export function identityOf({ metadata }: WebhookSubscription): Identity {
  const { name, uid = '', generation = 0, resourceVersion = '', annotations = {}, finalizers = [], deletionTimestamp } = metadata
  return { name, uid, generation, resourceVersion, annotations, finalizers, isLeaving: deletionTimestamp !== undefined }
}

/** Null: the object has no such request. */
export function commandsOf({ spec }: WebhookSubscription): CommandFields {
  const { suspend = false, rotation, probe } = spec
  return { suspend, rotationRequest: rotation?.request ?? null, probeRequest: probe?.request ?? null }
}

/** As the row has recorded them. */
export function recordedCommands({ suspended, secret, lastProbeRequest }: MirroredWebhook): CommandFields {
  return { suspend: suspended, rotationRequest: secret.handledRequest, probeRequest: lastProbeRequest }
}

export function fieldsOfRow({ orgId, url, eventTypes, description }: MirroredWebhook): ProjectedFields {
  return { orgId, url, events: eventTypes.toSorted(), description }
}
