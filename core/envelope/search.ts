// The SQL of listing and counting envelopes. One set of sources for rows and total, so that they can never disagree. A source is a walk along an
// index within one workspace, newest first: a page takes the head of each, a total walks on until it has enough.
import type { Caller } from '#core/context.ts'
import type { WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import { rolesOf } from '#core/workspace/store.ts'
import { ENVELOPE_STATUSES, type EnvelopeStatus } from './rules.ts'
import { toWholeEnvelope, type WholeEnvelope, wholeColumns, type WholeRow } from './whole-store.ts'

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

type Fragment = ReturnType<typeof rolesOf>

const OPEN_STATUSES: readonly EnvelopeStatus[] = ['DRAFT', 'SENT', 'IN_PROGRESS']

/** One page, newest first. */
export async function searchEnvelopes(
  sql: Sql,
  caller: Caller,
  filter: EnvelopeFilter,
  page: { offset: number; limit: number },
): Promise<WholeEnvelope[]> {
  return (await selectPage(sql, caller, filter, page)).map(toWholeEnvelope)
}

/** How many fit the filter, counted no further than `most`. */
export async function countMatching(sql: Sql, caller: Caller, filter: EnvelopeFilter, most: number): Promise<number> {
  const [row] = await selectTotal(sql, caller, filter, most)
  return row?.count ?? 0
}

/** The statement of a page. */
export function selectPage(
  sql: Sql,
  caller: Caller,
  filter: EnvelopeFilter,
  { offset, limit }: { offset: number; limit: number },
) {
  const heads = sources(sql, caller, filter).map(
    (source) => sql`(${source} order by created_at desc, id desc limit ${offset + limit})`,
  )
  return sql<WholeRow[]>`
    select ${wholeColumns(sql)}
    from (
      select m.id, m.created_at, r.permissions, r.workspace_id
      from ${rolesOf(sql, caller)} r
      cross join lateral (${joined(sql, heads, sql`union all`)}) m
      where ${inWorkspace(sql, filter)}
      order by m.created_at desc, m.id desc
      limit ${limit}
      offset ${offset}) g
    join envelopes e on e.org_id = ${caller.orgId} and e.id = g.id
    join workspaces w on w.org_id = ${caller.orgId} and w.id = g.workspace_id
    order by g.created_at desc, g.id desc`
}

/** The statement of a total: one row. */
export function selectTotal(sql: Sql, caller: Caller, filter: EnvelopeFilter, most: number) {
  return sql<{ count: number }[]>`
    select count(*)::int as count
    from (
      select 1
      from ${rolesOf(sql, caller)} r
      cross join lateral (${joined(sql, sources(sql, caller, filter), sql`union all`)}) m
      where ${inWorkspace(sql, filter)}
      limit ${most}) c`
}

/** The statement that tells how many of the readable envelopes have each status. */
export function selectStatusCounts(sql: Sql, caller: Caller, workspaceId: WorkspaceId | undefined) {
  // By the status as stored, which the index is sorted by; then what has lapsed moves over to EXPIRED.
  return sql<{ status: EnvelopeStatus; count: number }[]>`
    select shown.status, sum(shown.count)::int as count
    from ${rolesOf(sql, caller)} r
    cross join unnest(${sql.array([...ENVELOPE_STATUSES])}::text[]) s (status)
    cross join lateral (
      select count(*) as stored
      from envelopes e
      where e.org_id = ${caller.orgId} and e.workspace_id = r.workspace_id and e.status = s.status) c
    cross join lateral (
      select count(*) as lapsed
      from envelopes e
      where s.status = any(${sql.array([...OPEN_STATUSES])}::text[]) and e.org_id = ${caller.orgId} and e.workspace_id = r.workspace_id
        and e.status = s.status and e.lapses_at <= sealwright_now()) l
    cross join lateral (values (s.status, c.stored - l.lapsed), ('EXPIRED', l.lapsed)) shown (status, count)
    where ${workspaceId ? sql`r.workspace_id = ${workspaceId}` : sql`true`}
    group by 1`
}

function inWorkspace(sql: Sql, { workspaceId }: EnvelopeFilter): Fragment {
  return workspaceId ? sql`r.workspace_id = ${workspaceId}` : sql`true`
}

/** Ids with their times of creation, of what fits the filter in the workspace of role `r`. One source for each way to a wanted status, because
 *  equality keeps the index's order where a choice would lose it. Labels have an index of their own, so they lead where there are any. */
function sources(sql: Sql, caller: Caller, filter: EnvelopeFilter): Fragment[] {
  const [leading, ...others] = labelTerms(filter)
  if (!leading) {
    return statusConditions(sql, sql`e`, filter.statuses).map(
      (condition) => sql`
        select e.id, e.created_at
        from envelopes e
        where e.org_id = ${caller.orgId} and e.workspace_id = r.workspace_id and ${condition} ${titleCondition(sql, filter)}
          ${timeCondition(sql, filter, sql`e.created_at`)}`,
    )
  }
  return [
    sql`
      select l.envelope_id as id, l.created_at
      from envelope_labels l
      where ${labelCondition(sql, caller, sql`l`, leading)} ${timeCondition(sql, filter, sql`l.created_at`)}
        and (${joined(sql, statusConditions(sql, sql`l`, filter.statuses), sql`or`)})
        ${others.reduce((all, term) => sql`${all} and ${alsoLabelled(sql, caller, term)}`, sql``)}
        ${filter.title ? sql`and ${alsoTitled(sql, caller, filter)}` : sql``}`,
  ]
}

// NOTE: `offset 0` keeps the planner from turning a probe for each label into a join, which it would order by estimates that take labels,
// workspaces and organisations for independent of each other.
type LabelTerm = readonly [key: string, value?: string]

/** Pairs first: they are found by less than bare keys. */
function labelTerms({ labels }: EnvelopeFilter): LabelTerm[] {
  return [...Object.entries(labels.pairs), ...labels.keys.map((key) => [key] as const)]
}

function labelCondition(sql: Sql, { orgId }: Caller, table: Fragment, [key, value]: LabelTerm): Fragment {
  return sql`${table}.org_id = ${orgId} and ${table}.workspace_id = r.workspace_id and ${table}.key = ${key}
    ${value === undefined ? sql`` : sql`and ${table}.value = ${value}`}`
}

function alsoLabelled(sql: Sql, caller: Caller, term: LabelTerm): Fragment {
  return sql`exists (
    select from envelope_labels o
    where ${labelCondition(sql, caller, sql`o`, term)} and o.created_at = l.created_at and o.envelope_id = l.envelope_id
    offset 0)`
}

function alsoTitled(sql: Sql, { orgId }: Caller, filter: EnvelopeFilter): Fragment {
  return sql`exists (
    select from envelopes e where e.org_id = ${orgId} and e.id = l.envelope_id ${titleCondition(sql, filter)}
    offset 0)`
}

function timeCondition(sql: Sql, { from, to }: EnvelopeFilter, createdAt: Fragment): Fragment {
  return sql`${from ? sql`and ${createdAt} >= ${from}` : sql``} ${to ? sql`and ${createdAt} < ${to}` : sql``}`
}

function titleCondition(sql: Sql, { title }: EnvelopeFilter): Fragment {
  return title ? sql`and e.title_folded like (select lower(${`%${escapeLike(title)}%`}))` : sql``
}

/** The wanted statuses as a reader sees them, in terms of what is stored: an open envelope whose time has passed has expired. */
function statusConditions(sql: Sql, of: Fragment, statuses: readonly EnvelopeStatus[]): Fragment[] {
  if (statuses.length === 0) return [sql`true`]
  const wanted = [...new Set(statuses)]
  const stored = wanted.map((status) =>
    OPEN_STATUSES.includes(status)
      ? sql`(${of}.status = ${status} and (${of}.lapses_at is null or ${of}.lapses_at > sealwright_now()))`
      : sql`${of}.status = ${status}`,
  )
  const lapsed = OPEN_STATUSES.map((status) => sql`(${of}.status = ${status} and ${of}.lapses_at <= sealwright_now())`)
  return wanted.includes('EXPIRED') ? [...stored, ...lapsed] : stored
}

function joined(sql: Sql, [first, ...others]: readonly Fragment[], by: Fragment): Fragment {
  return others.reduce((all, fragment) => sql`${all} ${by} ${fragment}`, first ?? sql``)
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`)
}
