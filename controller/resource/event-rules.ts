// Which changes of a condition are worth an Event: transitions only. Pure.
import { EVENT_REASONS, type EventReason, type KeyConditionType, type WebhookConditionType } from '../reasons.ts'
import type { Condition } from '../runtime/conditions.ts'

export interface NewEvent {
  type: 'Normal' | 'Warning'
  reason: EventReason
  action: string
  note: string
}

type ConditionType = WebhookConditionType | KeyConditionType

interface WithConditions {
  conditions?: Condition[] | undefined
}

export type EventRule<Status> = (before: Status, after: Status) => Omit<NewEvent, 'type'> | undefined

/** The events of a transition, in the order of the rules. */
export function eventsBy<Status>(rules: readonly EventRule<Status>[], before: Status, after: Status): NewEvent[] {
  return rules.flatMap((rule) => {
    const event = rule(before, after)
    return event ? [{ type: EVENT_REASONS[event.reason].type, ...event }] : []
  })
}

/** An event when the condition now has this status, and did not before. */
export function onStatus<Status extends WithConditions>(
  type: ConditionType,
  status: string,
  reason: EventReason,
  action: string,
): EventRule<Status> {
  return (before, after) => {
    const now = conditionOf(after, type)
    const has = now?.status === status && conditionOf(before, type)?.status !== status
    return has ? { reason, action, note: now.message } : undefined
  }
}

/** An event when the condition now is False, and was not for the same reason before. */
export function onFailure<Status extends WithConditions>(
  type: ConditionType,
  reason: EventReason,
  action: string,
): EventRule<Status> {
  return (before, after) => {
    const now = conditionOf(after, type)
    const isNew = now?.status === 'False' && conditionOf(before, type)?.reason !== now.reason
    return isNew ? { reason, action, note: now.message } : undefined
  }
}

export function conditionOf({ conditions }: WithConditions, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type)
}
