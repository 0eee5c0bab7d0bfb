// The SQL of the outbox: rows written with the change they tell of, taken by a relay after the commit.
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { JsonValue } from '#core/audit/canonical-json.ts'
import type { Subject } from './subjects.ts'

type Body = { readonly [key: string]: JsonValue }

export interface OutboxRow {
  id: string
  orgId: OrgId
  subject: Subject
  body: Body
}

export async function insertOutbox(sql: Sql, orgId: OrgId, subject: Subject, body: Body): Promise<void> {
  await sql`insert into outbox (org_id, subject, body) values (${orgId}, ${subject}, ${sql.json({ ...body })})`
}

/** The oldest unpublished rows, locked until the transaction ends; rows that another relay holds are passed over. */
export async function lockUnpublished(sql: Sql, most: number): Promise<OutboxRow[]> {
  return sql<OutboxRow[]>`
    select id::text, org_id, subject, body
    from outbox
    where published_at is null
    order by outbox.id -- the number; a bare id would be the text selected above, in which 10 stands before 2
    limit ${most}
    for update skip locked`
}

export async function markPublished(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`update outbox set published_at = sealwright_now() where id = any(${sql.array([...ids])}::bigint[])`
}
