// What the check of a restored installation can find.

export const PROBLEM_KINDS = [
  'DATABASE_BEHIND',
  'OBJECTS_BEHIND',
  'OBJECT_MISSING',
  'OBJECT_DIFFERS',
  'OBJECT_WITHOUT_ROW',
  'ROW_BEHIND_OBJECT',
] as const

export type ProblemKind = (typeof PROBLEM_KINDS)[number]

export interface Problem {
  kind: ProblemKind
  /** The key of the object, or kind, namespace and name of the custom resource; null for a whole store. */
  subject: string | null
  message: string
}

/** Receives each problem as it is found, so that none has to be kept. */
export type Found = (problem: Problem) => void
