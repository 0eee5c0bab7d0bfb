// Which Events a change of the status is worth: transitions only. Pure.
import type { WebhookConditionType } from '../reasons.ts'
import { conditionOf, eventsBy, type EventRule, type NewEvent, onFailure, onStatus } from '../resource/event-rules.ts'
import type { WebhookSubscriptionStatus } from './resource.ts'

type Status = WebhookSubscriptionStatus
type Rule = EventRule<Status>

/** Lists the events of a change of status, in the order of the conditions. */
export function eventsOf(before: Status, after: Status): NewEvent[] {
  return eventsBy(RULES, before, after)
}

const reEnabled: Rule = (before, after) => {
  const was = of(before, 'EndpointHealthy')?.status
  const is = of(after, 'EndpointHealthy')?.status
  const note = 'The endpoint gets events again.'
  return was === 'False' && is !== undefined && is !== 'False' ? { reason: 'ReEnabled', action: 'Enable', note } : undefined
}

const probed: Rule = (before, after) => {
  const request = after.health?.lastProbeRequest
  if (request === undefined || request === before.health?.lastProbeRequest) return undefined
  return { reason: 'Probed', action: 'Probe', note: probeNote(after) }
}

const rotationStarted: Rule = (before, after) => {
  const now = of(after, 'RotationInProgress')
  if (now?.status !== 'True') return undefined
  const isSame = of(before, 'RotationInProgress')?.status === 'True' && before.secret?.revision === after.secret?.revision
  return isSame ? undefined : { reason: 'RotationStarted', action: 'Rotate', note: now.message }
}

const rotationFinished: Rule = (before, after) => {
  const now = of(after, 'RotationInProgress')
  const has = now?.status === 'False' && of(before, 'RotationInProgress')?.status === 'True'
  return has ? { reason: 'RotationFinished', action: 'Rotate', note: now.message } : undefined
}

const RULES: readonly Rule[] = [
  onStatus('Accepted', 'True', 'Accepted', 'Accept'),
  onFailure('Accepted', 'Refused', 'Refuse'),
  onFailure('Synced', 'Conflict', 'Synchronise'),
  onStatus('EndpointHealthy', 'False', 'AutoDisabled', 'Disable'),
  reEnabled,
  probed,
  rotationStarted,
  rotationFinished,
]

function of(status: Status, type: WebhookConditionType) {
  return conditionOf(status, type)
}

function probeNote({ health }: Status): string {
  const { lastProbeTime = '', lastFailure } = health ?? {}
  const hasFailed = lastFailure !== undefined && lastFailure.time >= lastProbeTime
  return hasFailed ? `The probe failed. ${lastFailure.reason}` : 'The endpoint accepted the probe.'
}
