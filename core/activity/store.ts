// The SQL of an organisation's activity: rows are added and read, never changed.
import type { JsonValue } from '#core/audit/canonical-json.ts'
import type { Origin } from '#core/context.ts'
import type { OrgId, PersonId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { Activity } from './rules.ts'

export interface ActivityRow {
  id: number
  at: Date
  personId: PersonId
  email: string
  action: Activity
  detail: { readonly [key: string]: JsonValue }
  address: string | null
}

export async function insertAdminEvent(
  sql: Sql,
  orgId: OrgId,
  { personId, email, action, detail, origin }: Pick<ActivityRow, 'personId' | 'email' | 'action' | 'detail'> & { origin: Origin },
): Promise<void> {
  await sql`
    insert into admin_events (org_id, person_id, email, action, detail, address, user_agent)
    values (${orgId}, ${personId}, ${email}, ${action}, ${sql.json({ ...detail })}, ${origin.address}, ${origin.userAgent})`
}
