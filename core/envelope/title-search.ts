// Finds envelopes by a part of the title: by an index of title fragments, or by scanning the lists. A scan finds frequent titles soon but reads
// everything for rare ones; the index finds rare titles soon but visits the table for each match. A sample chooses, because the planner's estimates
// know neither the content of titles nor their distribution over time.
import type { Caller } from '#core/context.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { rolesOf } from '#core/account/workspace/store.ts'
import {
  type EnvelopeFilter,
  type Fragment,
  inWorkspace,
  joined,
  labelTerms,
  ownLabelsCondition,
  statusConditions,
  timeCondition,
  titleCondition,
} from './envelope-filter.ts'

/** `scan`: scan an index within each workspace, newest first, until there are enough. `index`: read all matches of the title, then sort. */
export type Plan = 'scan' | 'index'

/** Sampled pages of the table, whatever its size: about 2,500 envelopes, read in 1 ms. */
const SAMPLE_PAGES = 100
/** Visiting a match of the index costs as much as this many steps of a scan; so does a step along labels, which looks up the title elsewhere. */
const STEPS_PER_FIND = 10
const LABEL_STEPS_PER_FIND = 1

/** A scan that has any matches finds this many in its first steps; a deeper page reads about as much as a total. */
const SHALLOW_DEPTH = 200

/** Chooses the faster plans for a page that ends at the `depth`-newest, and for a total. */
export async function choosePlans(
  sql: Sql,
  caller: Caller,
  filter: EnvelopeFilter,
  depth: number,
): Promise<{ page: Plan; total: Plan }> {
  if (!filter.title) return { page: 'scan', total: 'scan' }
  const [sample] = await selectSample(sql, caller, filter)
  const { fitting, titled, fifth } = sample ?? { fitting: 0, titled: 0, fifth: null }
  const worth = Math.max(titled, 1) * (labelTerms(filter).length > 0 ? LABEL_STEPS_PER_FIND : STEPS_PER_FIND)
  const plan = (steps: number) => (steps <= worth ? 'scan' : 'index')
  return { page: plan(depth > SHALLOW_DEPTH ? fitting : (fifth ?? fitting)), total: plan(fitting) }
}

/** How many of the sampled envelopes match the filter without the title, how many match the title alone, and how many filter matches are at least as
 *  new as the fifth that matches both: about the number of steps to a page. */
function selectSample(sql: Sql, caller: Caller, filter: EnvelopeFilter) {
  // The same pages each time, so that they stay in memory.
  return sql<{ fitting: number; titled: number; fifth: number | null }[]>`
    select count(*) filter (where fits)::int as fitting, count(*) filter (where has_title)::int as titled,
      (array_agg(place order by place) filter (where fits and has_title))[5]::int as fifth
    from (
      select fits, has_title, row_number() over (partition by fits order by created_at desc) as place
      from (
        select e.created_at, ${titleCondition(sql, filter, sql`e.title_folded`)} as has_title, ${fitsOtherwise(sql, caller, filter)} as fits
        from envelopes e
        tablesample system (least(100, 100.0 * ${SAMPLE_PAGES} * current_setting('block_size')::int / greatest(pg_relation_size('envelopes'), 1)))
          repeatable (1)
        where e.org_id = ${caller.orgId}) s) p`
}

/** The matches found by the index, as `from` and `where` on envelopes `e`. */
export function fromIndex(sql: Sql, caller: Caller, filter: EnvelopeFilter): Fragment {
  // NOTE: `offset 0` leaves the planner only the title to find envelopes by.
  return sql`
    from (
      select s.id, s.workspace_id, s.title_folded, s.status, s.labels, s.created_at, s.lapses_at
      from searchable_envelopes s
      where s.title_grams @@ title_query(${caller.orgId}, fold_title(${filter.title ?? ''}))
      offset 0) e
    where ${titleCondition(sql, filter, sql`e.title_folded`)} and ${fitsOtherwise(sql, caller, filter)}`
}

function fitsOtherwise(sql: Sql, caller: Caller, filter: EnvelopeFilter): Fragment {
  return sql`
    (e.workspace_id = any(array(select r.workspace_id from ${rolesOf(sql, caller)} r where ${inWorkspace(sql, filter)}))
      and (${joined(sql, statusConditions(sql, filter, sql`e`), sql`or`)})
      and ${timeCondition(sql, filter, sql`e.created_at`)} and ${ownLabelsCondition(sql, filter, sql`e.labels`)})`
}
