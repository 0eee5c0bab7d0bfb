// What a kind of custom resource consists of. Type, CRD, documentation and tests are derived from it.
import type { z } from 'zod'

export { GROUP, VERSION } from '#core/mirror/api-group.ts'
export const CATEGORY = 'sealwright'

export interface CelRule {
  rule: string
  message: string
  /** The field to name in the error, if it is not the one that carries the rule. */
  fieldPath?: string
}

export interface Column {
  name: string
  type: 'string' | 'integer' | 'date'
  jsonPath: string
  description: string
  /** Shown by `kubectl get -o wide` only. */
  isWide?: boolean
}

export interface Kind {
  resource: { group: string; version: string; plural: string; kind: string }
  singular: string
  shortName: string
  description: string
  spec: z.ZodType
  status: z.ZodType
  /** CEL rules of the whole object: only there is `metadata.name` visible. */
  rules: readonly CelRule[]
  columns: readonly Column[]
  selectableFields: readonly string[]
}

/** The JSON path of the status of a condition. */
export function conditionPath(type: string, member: 'status' | 'reason' = 'status'): string {
  return `.status.conditions[?(@.type=="${type}")].${member}`
}
