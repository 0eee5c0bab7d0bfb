// One attempt of a delivery, as its history shows it.
import type { AttemptFailure } from '#core/webhook/failure.ts'

export interface Attempt {
  /** ISO 8601, by the database clock. */
  at: string
  durationMs: number
  /** Absent when no answer came. */
  responseStatus?: number
  /** Absent when the receiver accepted it. */
  failure?: AttemptFailure
}

/** The attempt as the history stores it. */
export function attemptToJson({ failure, ...attempt }: Attempt) {
  return { ...attempt, ...(failure && { failure: { ...failure } }) }
}
