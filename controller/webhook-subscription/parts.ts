// The parts of an object that decisions read, without optional members. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import type { CommandFields, ProjectedFields } from './effect.ts'
import type { WebhookSubscription } from './resource.ts'

/** Null: the object has no such request. */
export function commandsOf({ spec }: WebhookSubscription): CommandFields {
  const { suspend = false, rotation, probe } = spec
  return { suspend, rotationRequest: rotation?.request ?? null, probeRequest: probe?.request ?? null }
}

/** Commands as the row has recorded them. */
export function recordedCommands({ suspended, secret, lastProbeRequest }: MirroredWebhook): CommandFields {
  return { suspend: suspended, rotationRequest: secret.handledRequest, probeRequest: lastProbeRequest }
}

export function fieldsOfRow({ orgId, url, eventTypes, description }: MirroredWebhook): ProjectedFields {
  return { orgId, url, events: eventTypes.toSorted(), description }
}
