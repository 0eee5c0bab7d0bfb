// One entry of an organisation's activity: an act of one of its people, or of the operator on its behalf.
import type { JsonValue } from '#core/platform/text/canonical-json.ts'
import type { PersonId } from '#core/ids.ts'
import type { Activity } from './rules.ts'

/** The operator works on the command line and has no account here. The detail of an act of Kubernetes names the object. */
export type ActivityActor = { kind: 'person'; personId: PersonId; email: string } | { kind: 'operator' } | { kind: 'kubernetes' }

export interface ActivityEntry {
  id: number
  at: Date
  actor: ActivityActor
  action: Activity
  detail: { readonly [key: string]: JsonValue }
  address: string | null
}
