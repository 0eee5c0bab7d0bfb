// One line of what an organisation's people did, or the operator of the installation for it.
import type { JsonValue } from '#core/platform/text/canonical-json.ts'
import type { PersonId } from '#core/ids.ts'
import type { Activity } from './rules.ts'

/** The operator works by command line and has no account here. */
export type ActivityActor = { kind: 'person'; personId: PersonId; email: string } | { kind: 'operator' }

export interface ActivityEntry {
  id: number
  at: Date
  actor: ActivityActor
  action: Activity
  detail: { readonly [key: string]: JsonValue }
  address: string | null
}
