// The SQL of an organisation's activity: rows are added and read, never changed.
// Triggers refuse changes: admin_events_fixed, admin_events_kept.
import type { ClientInfo } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { ActivityEntry } from './activity.ts'

export async function insertAdminEvent(
  sql: Sql,
  orgId: OrgId,
  { actor, action, detail, origin }: Pick<ActivityEntry, 'actor' | 'action' | 'detail'> & { origin: ClientInfo },
): Promise<void> {
  const { personId, email } = actor.kind === 'person' ? actor : { personId: null, email: null }
  await sql`
    insert into admin_events (org_id, actor, person_id, email, action, detail, address, user_agent)
    values (${orgId}, ${actor.kind.toUpperCase()}, ${personId}, ${email}, ${action}, ${sql.json({ ...detail })},
      ${origin.address}, ${origin.userAgent})`
}

/** One page, newest first. */
export async function selectActivity(
  sql: Sql,
  orgId: OrgId,
  { offset, limit }: { offset: number; limit: number },
): Promise<ActivityEntry[]> {
  return sql<ActivityEntry[]>`
    select id, at, action, detail, address,
      case actor when 'PERSON' then jsonb_build_object('kind', 'person', 'personId', person_id, 'email', email)
        else jsonb_build_object('kind', lower(actor)) end as actor
    from admin_events
    where org_id = ${orgId}
    order by id desc
    limit ${limit}
    offset ${offset}`
}

/** The number of rows, counted up to `most`. */
export async function countActivity(sql: Sql, orgId: OrgId, most: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select from admin_events where org_id = ${orgId} limit ${most}) m`
  return row?.count ?? 0
}
