// The list of envelopes by a part of the title as it would be with pg_trgm: one statement each for page and total, whose plan is the planner's choice.
import type { Caller } from '#core/context.ts'
import { rolesOf } from '#core/account/workspace/store.ts'
import { type EnvelopeFilter, joined, statusConditions } from '#core/envelope/envelope-filter.ts'
import { viewColumns } from '#core/envelope/envelope-view-store.ts'
import type { Database, Sql } from '#core/platform/postgres/client.ts'

/** Adds the extensions, the index, and a view past row-level security: `like` is not leakproof, so the index cannot be used behind it. */
export async function addTrigrams(owner: Database): Promise<void> {
  await owner.unsafe(`
    set statement_timeout = 0;
    create extension pg_trgm;
    create extension btree_gin;
    set maintenance_work_mem = '512MB';
    create index envelopes_by_trigram on envelopes using gin (org_id, title_folded gin_trgm_ops)
      with (fastupdate = on, gin_pending_list_limit = 1024);
    create view trigram_envelopes as
      select id, workspace_id, title_folded, status, created_at, lapses_at from envelopes
      where org_id = (select sealwright_org()) and (drops_at is null or drops_at > sealwright_now() or lapses_at <= drops_at);
    grant select on trigram_envelopes to sealwright_api`)
  await owner`vacuum analyze envelopes`
}

/** Reads the first page and answers how many fit, counted to 10,001. */
export async function listByTrigrams(sql: Sql, caller: Caller, filter: EnvelopeFilter): Promise<number> {
  // The parts differ too much for one plan of all.
  await sql`set local plan_cache_mode = force_custom_plan`
  const [folded] = await sql<{ pattern: string }[]>`
    select '%' || regexp_replace(fold_title(${filter.title ?? ''}), '([\\\\%_])', '\\\\\\1', 'g') || '%' as pattern`
  const from = sql`
    from trigram_envelopes e
    where e.title_folded like ${folded!.pattern} and e.workspace_id = any(array(select r.workspace_id from ${rolesOf(sql, caller)} r))
      and (${joined(sql, statusConditions(sql, filter, sql`e`), sql`or`)})`
  const rows = await sql`
    select ${viewColumns(sql)}
    from (select e.id, e.workspace_id, e.created_at ${from} order by e.created_at desc, e.id desc limit 20) f
    join ${rolesOf(sql, caller)} g on g.workspace_id = f.workspace_id
    join envelopes e on e.org_id = ${caller.orgId} and e.id = f.id
    join workspaces w on w.org_id = ${caller.orgId} and w.id = f.workspace_id
    order by f.created_at desc, f.id desc`
  if (rows.length < 20) return rows.length
  const [total] = await sql<{ count: number }[]>`select count(*)::int as count from (select ${from} limit 10001) c`
  return total!.count
}
