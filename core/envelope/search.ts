// The SQL of listing and counting envelopes. One set of conditions for rows and total, so that they can never disagree.
import type { Caller } from '#core/context.ts'
import type { WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import { rolesOf } from '#core/workspace/store.ts'
import type { EnvelopeStatus } from './rules.ts'
import type { ReadableEnvelope } from './store.ts'

export interface EnvelopeFilter {
  statuses: readonly EnvelopeStatus[]
  /** Every pair must be on the envelope; every bare key must be present. */
  labels: { pairs: Readonly<Record<string, string>>; keys: readonly string[] }
  /** From inclusive, to exclusive, on createdAt. */
  from?: Date | undefined
  to?: Date | undefined
  /** Part of the title, whatever its case. */
  title?: string | undefined
  workspaceId?: WorkspaceId | undefined
}

/** The envelopes that the caller may read and that fit the filter. */
function matching(sql: Sql, caller: Caller, filter: EnvelopeFilter) {
  const { statuses, labels, from, to, title, workspaceId } = filter
  return sql`
    from envelopes e
    join ${rolesOf(sql, caller)} g on g.workspace_id = e.workspace_id
    where e.org_id = ${caller.orgId}
      ${statuses.length > 0 ? sql`and shown_status(e.status, e.lapses_at) = any(${sql.array([...statuses])}::text[])` : sql``}
      ${Object.keys(labels.pairs).length > 0 ? sql`and e.labels @> ${sql.json(labels.pairs)}` : sql``}
      ${labels.keys.length > 0 ? sql`and e.labels ?& ${sql.array([...labels.keys])}::text[]` : sql``}
      ${from ? sql`and e.created_at >= ${from}` : sql``}
      ${to ? sql`and e.created_at < ${to}` : sql``}
      ${title ? sql`and lower(e.title) like lower(${`%${escapeLike(title)}%`})` : sql``}
      ${workspaceId ? sql`and e.workspace_id = ${workspaceId}` : sql``}`
}

/** One page, newest first. */
export async function searchEnvelopes(
  sql: Sql,
  caller: Caller,
  filter: EnvelopeFilter,
  page: { offset: number; limit: number },
): Promise<ReadableEnvelope[]> {
  return sql<ReadableEnvelope[]>`
    select p.*, w.name as workspace_name,
      (select count(*)::int from documents d where d.org_id = ${caller.orgId} and d.envelope_id = p.id) as document_count
    from (
      select e.id, e.workspace_id, e.title, e.message, shown_status(e.status, e.lapses_at) as status, e.created_at, e.created_by, e.expires_at,
        e.otp_required, e.sequential_signing, e.labels, g.permissions
      ${matching(sql, caller, filter)}
      order by e.created_at desc, e.id desc
      limit ${page.limit}
      offset ${page.offset}) p
    join workspaces w on w.org_id = ${caller.orgId} and w.id = p.workspace_id
    order by p.created_at desc, p.id desc`
}

/** How many fit the filter, counted no further than `most`. */
export async function countMatching(sql: Sql, caller: Caller, filter: EnvelopeFilter, most: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select 1 ${matching(sql, caller, filter)} limit ${most}) m`
  return row?.count ?? 0
}

/** How many of the readable envelopes have each status. */
export async function countByStatus(
  sql: Sql,
  caller: Caller,
  workspaceId: WorkspaceId | undefined,
): Promise<{ status: EnvelopeStatus; count: number }[]> {
  return sql<{ status: EnvelopeStatus; count: number }[]>`
    select shown_status(e.status, e.lapses_at) as status, count(*)::int as count
    from envelopes e
    join ${rolesOf(sql, caller)} g on g.workspace_id = e.workspace_id
    where e.org_id = ${caller.orgId} ${workspaceId ? sql`and e.workspace_id = ${workspaceId}` : sql``}
    group by 1`
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`)
}
