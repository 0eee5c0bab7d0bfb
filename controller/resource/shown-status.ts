// What the statuses of all kinds have in common. Pure.
import type { StoredObject } from './custom-object.ts'
import { type Condition, setConditions } from '../runtime/conditions.ts'

export interface ShownStatus {
  observedGeneration?: number | undefined
  /** The version of the row that the object shows. */
  rowVersion?: number | undefined
  conditions?: Condition[] | undefined
}

/** An object as far as its kind does not matter. */
export interface ShownObject extends StoredObject {
  spec: { origin?: 'API' | 'Kubernetes' | undefined }
  status?: ShownStatus
}

/** The conditions with the generation that they are about and the times of their last transitions. */
export function withTimes(
  { conditions = [] }: ShownStatus,
  next: readonly Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>[],
  observedGeneration: number,
  now: Date,
): Condition[] {
  return setConditions(
    conditions,
    next.map((condition) => ({ ...condition, observedGeneration })),
    now,
  )
}

/** Whether the object shows this status already: then nothing is written. */
export function isSameStatus(before: object | undefined, next: object): boolean {
  return canonical(before ?? {}) === canonical(next)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
