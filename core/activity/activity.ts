// One line of what an organisation's people did.
import type { JsonValue } from '#core/audit/canonical-json.ts'
import type { PersonId } from '#core/ids.ts'
import type { Activity } from './rules.ts'

export interface ActivityEntry {
  id: number
  at: Date
  personId: PersonId
  email: string
  action: Activity
  detail: { readonly [key: string]: JsonValue }
  address: string | null
}
