// The SQL of an organisation's activity: rows are added and read, never changed.
import type { Origin } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { ActivityEntry } from './activity.ts'

export async function insertAdminEvent(
  sql: Sql,
  orgId: OrgId,
  {
    personId,
    email,
    action,
    detail,
    origin,
  }: Pick<ActivityEntry, 'personId' | 'email' | 'action' | 'detail'> & { origin: Origin },
): Promise<void> {
  await sql`
    insert into admin_events (org_id, person_id, email, action, detail, address, user_agent)
    values (${orgId}, ${personId}, ${email}, ${action}, ${sql.json({ ...detail })}, ${origin.address}, ${origin.userAgent})`
}

/** One page, newest first. */
export async function selectActivity(
  sql: Sql,
  orgId: OrgId,
  { offset, limit }: { offset: number; limit: number },
): Promise<ActivityEntry[]> {
  return sql<ActivityEntry[]>`
    select id, at, person_id, email, action, detail, address
    from admin_events
    where org_id = ${orgId}
    order by id desc
    limit ${limit}
    offset ${offset}`
}

/** How many there are, counted no further than `most`. */
export async function countActivity(sql: Sql, orgId: OrgId, most: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select from admin_events where org_id = ${orgId} limit ${most}) m`
  return row?.count ?? 0
}
