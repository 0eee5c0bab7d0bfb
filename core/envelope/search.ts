// The SQL of listing and counting envelopes. A source scans an index within one workspace, newest first: a page merges the heads of the sources, a
// total continues until it has enough. Rare titles are found by the title index instead, and counts that are maintained with each change are read
// from their table.
import type { Caller } from '#core/context.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { rolesOf } from '#core/account/workspace/store.ts'
import {
  type EnvelopeFilter,
  type Fragment,
  inWorkspace,
  joined,
  type LabelTerm,
  labelTerms,
  statusConditions,
  timeCondition,
  titleCondition,
} from './envelope-filter.ts'
import { ENVELOPE_STATUSES, type EnvelopeStatus } from './rules.ts'
import { fromIndex, type Plan } from './title-search.ts'
import { toEnvelopeView, type EnvelopeView, viewColumns, type EnvelopeViewRow } from './envelope-view-store.ts'

export interface PageOptions {
  offset: number
  limit: number
  plan: Plan
}

export type PageRow = EnvelopeViewRow & { total: number | null }

export interface TotalOptions {
  /** The count stops here. */
  most: number
  plan: Plan
  /** The creation time of the newest match, if known: the scan starts there. */
  newest?: Date | undefined
}

/** One page, newest first; with the exact total when the chosen plan computes it. */
export async function searchEnvelopes(
  sql: Sql,
  caller: Caller,
  filter: EnvelopeFilter,
  page: PageOptions,
): Promise<{ envelopes: EnvelopeView[]; total: number | undefined }> {
  const rows = await selectPage(sql, caller, filter, page)
  return { envelopes: toEnvelopes(rows), total: rows[0]?.total ?? undefined }
}

/** The envelopes of a page's rows. */
export function toEnvelopes(rows: readonly PageRow[]): EnvelopeView[] {
  return rows.map(({ total: _total, ...row }) => toEnvelopeView(row))
}

/** How many envelopes match the filter, counted up to `most`. */
export async function countMatching(sql: Sql, caller: Caller, filter: EnvelopeFilter, options: TotalOptions): Promise<number> {
  const [row] = await selectTotal(sql, caller, filter, options)
  return row?.count ?? 0
}

/** The statement of a page. */
export function selectPage(sql: Sql, caller: Caller, filter: EnvelopeFilter, { offset, limit, plan }: PageOptions) {
  const found =
    plan === 'scan'
      ? walkToPage(sql, caller, filter, offset + limit)
      : sql`select e.id, e.workspace_id, e.created_at, count(*) over ()::int as total ${fromIndex(sql, caller, filter)}`
  return sql<PageRow[]>`
    select ${viewColumns(sql)}, f.total
    from (${found} order by created_at desc, id desc limit ${limit} offset ${offset}) f
    join ${rolesOf(sql, caller)} g on g.workspace_id = f.workspace_id
    join envelopes e on e.org_id = ${caller.orgId} and e.id = f.id
    join workspaces w on w.org_id = ${caller.orgId} and w.id = f.workspace_id
    order by f.created_at desc, f.id desc`
}

/** The statement of a total: one row. */
export function selectTotal(sql: Sql, caller: Caller, filter: EnvelopeFilter, { most, plan, newest }: TotalOptions) {
  if (isCounted(filter)) {
    const wanted = filter.statuses.length > 0 ? filter.statuses : ENVELOPE_STATUSES
    return sql<{ count: number }[]>`
      select least(coalesce(sum(c.count), 0), ${most})::int as count
      ${fromCounts(sql, caller, filter)} and c.status = any(${sql.array([...wanted])}::text[])`
  }
  const rest = upTo(filter, newest)
  const found = plan === 'scan' ? scan(sql, caller, rest, sources(sql, caller, rest)) : fromIndex(sql, caller, rest)
  return sql<{ count: number }[]>`select count(*)::int as count from (select ${found} limit ${most}) c`
}

/** The statement that counts the readable envelopes by status; a status without any may be missing. */
export function selectStatusCounts(sql: Sql, caller: Caller, filter: Pick<EnvelopeFilter, 'workspaceId'>) {
  return sql<{ status: EnvelopeStatus; count: number }[]>`
    select c.status, sum(c.count)::int as count ${fromCounts(sql, caller, filter)} group by c.status`
}

/** Whether the filter uses only what is counted with each change of an envelope. */
function isCounted(filter: EnvelopeFilter): boolean {
  return !filter.title && !filter.from && !filter.to && labelTerms(filter).length === 0
}

function fromCounts(sql: Sql, caller: Caller, filter: Pick<EnvelopeFilter, 'workspaceId'>): Fragment {
  return sql`
    from shown_envelope_counts c
    where c.workspace_id = any(array(select r.workspace_id from ${rolesOf(sql, caller)} r where ${inWorkspace(sql, filter)}))`
}

/** No match is newer than the newest one. Times of rows are cut to milliseconds. */
function upTo(filter: EnvelopeFilter, newest: Date | undefined): EnvelopeFilter {
  return newest ? { ...filter, to: new Date(newest.getTime() + 1) } : filter
}

/** The statement whose result contains the newest `depth` matches, unordered. */
function walkToPage(sql: Sql, caller: Caller, filter: EnvelopeFilter, depth: number): Fragment {
  const heads = sources(sql, caller, filter).map((source) => sql`(${source} order by created_at desc, id desc limit ${depth})`)
  return sql`select m.id, r.workspace_id, m.created_at, null::int as total ${scan(sql, caller, filter, heads)}`
}

/** The sources `m` of each workspace of the roles `r`, and of each time span `s` that may contain the title. */
function scan(sql: Sql, caller: Caller, filter: EnvelopeFilter, each: readonly Fragment[]): Fragment {
  const { title } = filter
  // NOTE: `offset 0` keeps the planner from scanning first and reading the spans then.
  return sql`
    from ${rolesOf(sql, caller)} r
    ${title ? sql`cross join title_spans(${caller.orgId}, fold_title(${title})) s` : sql``}
    cross join lateral (${joined(sql, each, sql`union all`)} ${title ? sql`offset 0` : sql``}) m
    where ${inWorkspace(sql, filter)}`
}

/** Ids and creation times of matches in the workspace of role `r` and the span `s`. One source per way to a wanted status, because equality keeps the
 *  index's order and a disjunction would lose it. Labels have their own index, so they lead when there are any. */
function sources(sql: Sql, caller: Caller, filter: EnvelopeFilter): Fragment[] {
  const [leading, ...others] = labelTerms(filter)
  if (!leading) {
    return statusConditions(sql, filter, sql`e`).map(
      (condition) => sql`
        select e.id, e.created_at
        from envelopes e
        where e.org_id = ${caller.orgId} and e.workspace_id = r.workspace_id and ${condition}
          and ${titleCondition(sql, filter, sql`e.title_folded`)} and ${createdInSpan(sql, filter, sql`e.created_at`)}`,
    )
  }
  return [
    sql`
      select l.envelope_id as id, l.created_at
      from envelope_labels l
      where ${labelCondition(sql, caller, sql`l`, leading)} and ${createdInSpan(sql, filter, sql`l.created_at`)}
        and (${joined(sql, statusConditions(sql, filter, sql`l`), sql`or`)})
        ${others.reduce((all, term) => sql`${all} and ${alsoLabelled(sql, caller, term)}`, sql``)}
        ${filter.title ? sql`and ${alsoTitled(sql, caller, filter)}` : sql``}`,
  ]
}

function createdInSpan(sql: Sql, filter: EnvelopeFilter, createdAt: Fragment): Fragment {
  const inSpan = filter.title ? sql`and ${createdAt} >= s.starts_at and ${createdAt} < s.ends_at` : sql``
  return sql`${timeCondition(sql, filter, createdAt)} ${inSpan}`
}

// NOTE: `offset 0` keeps the planner from turning a probe per label into a join, which it would order by estimates that treat labels, workspaces and
// organisations as independent.
function labelCondition(sql: Sql, { orgId }: Caller, table: Fragment, [key, value]: LabelTerm): Fragment {
  // The predicate of the index of keys, true for every row: without it the planner could use the index of values only.
  const ofValue =
    value === undefined ? sql`${table}.envelope_id <> '00000000-0000-0000-0000-000000000000'` : sql`${table}.value = ${value}`
  return sql`${table}.org_id = ${orgId} and ${table}.workspace_id = r.workspace_id and ${table}.key = ${key} and ${ofValue}`
}

function alsoLabelled(sql: Sql, caller: Caller, term: LabelTerm): Fragment {
  return sql`exists (
    select from envelope_labels o
    where ${labelCondition(sql, caller, sql`o`, term)} and o.created_at = l.created_at and o.envelope_id = l.envelope_id
    offset 0)`
}

function alsoTitled(sql: Sql, { orgId }: Caller, filter: EnvelopeFilter): Fragment {
  // With every column of the lists' index, which contains the title as well.
  return sql`exists (
    select from envelopes e
    where e.org_id = ${orgId} and e.workspace_id = r.workspace_id and e.created_at = l.created_at and e.id = l.envelope_id
      and ${titleCondition(sql, filter, sql`e.title_folded`)}
    offset 0)`
}
