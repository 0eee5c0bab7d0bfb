// Reads the conditions of an object.
import type { WebhookSubscriptionStatus } from '../webhook-subscription/resource.ts'

export type Condition = NonNullable<WebhookSubscriptionStatus['conditions']>[number]

export interface WithConditions {
  metadata: { name: string; generation?: number }
  status?: { observedGeneration?: number | undefined; conditions?: Condition[] | undefined }
}

export function conditionOf({ status }: WithConditions, type: string): Condition | undefined {
  return status?.conditions?.find((each) => each.type === type)
}

/** Whether the status is about the newest specification. */
export function isObserved({ metadata, status }: WithConditions): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0)
}

/** For example `Ready is False (AddressRefused): ...`. */
export function describeCondition(object: WithConditions, type: string): string {
  const condition = conditionOf(object, type)
  if (!condition) return 'the controller has not written its status'
  return `${type} is ${condition.status} (${condition.reason}): ${condition.message}`
}
