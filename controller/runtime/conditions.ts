// Conditions as the Kubernetes API conventions define them.
import { secondTime } from './wire-time.ts'

export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason: string
  message: string
  lastTransitionTime: string
  observedGeneration?: number | undefined
}

/** The next conditions in their order; each keeps its lastTransitionTime unless its status changed. Conditions that are not among the next are dropped. */
export function setConditions(
  before: readonly Pick<Condition, 'type' | 'status' | 'lastTransitionTime'>[],
  next: readonly Omit<Condition, 'lastTransitionTime'>[],
  now: Date,
): Condition[] {
  const known = new Map(before.map((condition) => [condition.type, condition]))
  return next.map((condition) => {
    const old = known.get(condition.type)
    const isSame = old?.status === condition.status
    return { ...condition, lastTransitionTime: isSame ? old.lastTransitionTime : secondTime(now) }
  })
}
