// What object and row say differently. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import type { CommandFields } from './effect.ts'
import { commandsOf, fieldsOfRow, recordedCommands } from './parts.ts'
import type { WebhookSubscription } from './resource.ts'
import { ORG_LABEL, type Snapshot, SUBSCRIPTION_LABEL } from './snapshot.ts'

/** The names of the configuration fields that differ; `labels` for those of the contract. */
export function differingFields({ spec, metadata }: WebhookSubscription, row: MirroredWebhook): string[] {
  const { url, events, description } = fieldsOfRow(row)
  const { [ORG_LABEL]: org, [SUBSCRIPTION_LABEL]: subscription } = metadata.labels ?? {}
  const isLabelled = row.origin === 'KUBERNETES' || (org === row.orgId && subscription === row.id)
  const same = {
    url: spec.url === url,
    events: spec.events.toSorted().join() === events.join(),
    description: (spec.description ?? '') === description,
    labels: isLabelled,
  }
  return Object.entries(same).flatMap(([name, isSame]) => (isSame ? [] : [name]))
}

export function hasRecordedCommands(object: WebhookSubscription, row: MirroredWebhook): boolean {
  const [is, recorded] = [commandsOf(object), recordedCommands(row)]
  return (['suspend', 'rotationRequest', 'probeRequest'] as const).every((name) => is[name] === recorded[name])
}

export interface NewCommands {
  suspend: boolean
  rotationRequest?: string
  probeRequest?: string
}

/** The commands of the object that the row has not recorded; undefined when there is none. A token that was removed is no command. */
export function newCommands(
  object: WebhookSubscription,
  row: MirroredWebhook,
  isApplied: Snapshot['isApplied'],
): NewCommands | undefined {
  const { suspend, ...requests } = commandsOf(object)
  const recorded = recordedCommands(row)
  const isNew = (name: keyof Omit<CommandFields, 'suspend'>): boolean => {
    const request = requests[name]
    return request !== null && request !== recorded[name] && request !== isApplied[name]
  }
  const commands = {
    ...(isNew('rotationRequest') && { rotationRequest: requests.rotationRequest ?? '' }),
    ...(isNew('probeRequest') && { probeRequest: requests.probeRequest ?? '' }),
  }
  const isSame = suspend === recorded.suspend && Object.keys(commands).length === 0
  return isSame ? undefined : { suspend, ...commands }
}
