// Tables with all that belongs to them: columns, constraints, indexes, triggers, policies and grants.
import type postgres from 'postgres'
import { grantsOn } from './grants.ts'

interface TableRow {
  oid: number
  name: string
  unlogged: boolean
  options: string | null
  secured: boolean
}

/** One text for each table, by name. */
export async function describeTables(sql: postgres.Sql): Promise<string[]> {
  const tables = await sql<TableRow[]>`
    select c.oid, c.relname as name, c.relpersistence = 'u' as unlogged, array_to_string(c.reloptions, ', ') as options,
      c.relrowsecurity as secured
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by c.relname`
  const texts: string[] = []
  for (const table of tables) texts.push(await describeTable(sql, table))
  return texts
}

async function describeTable(sql: postgres.Sql, { oid, name, unlogged, options, secured }: TableRow): Promise<string> {
  const body = [...(await columnsOf(sql, oid)), ...(await constraintsOf(sql, oid))]
  const lines = body.map(({ text, note }, index) => `  ${text}${index < body.length - 1 ? ',' : ''}${note ? ` -- ${note}` : ''}`)
  const create = `CREATE ${unlogged ? 'UNLOGGED ' : ''}TABLE ${name} (\n${lines.join('\n')}\n)${options ? ` WITH (${options})` : ''};`
  return [
    create,
    ...(await statementsOf(sql, oid)),
    ...(secured ? [`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;`] : []),
    ...(await policiesOf(sql, oid)),
    ...(await grantsOn(sql, oid)),
  ].join('\n')
}

interface Line {
  text: string
  note?: string
}

function columnsOf(sql: postgres.Sql, oid: number): Promise<Line[]> {
  return sql<Line[]>`
    select concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attidentity = 'a' then 'GENERATED ALWAYS AS IDENTITY' when a.attnotnull then 'NOT NULL' end,
      'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid, true)) as text,
      concat_ws(', ', case when a.attstattarget = 0 then 'statistics 0' end,
        case when a.attstorage <> t.typstorage then 'storage ' || case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end end) as note
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ${oid} and a.attnum > 0 and not a.attisdropped
    order by a.attnum`
}

/** Lists the constraints that say more than "not null", which the columns have: the primary key first. */
function constraintsOf(sql: postgres.Sql, oid: number): Promise<Line[]> {
  return sql<Line[]>`
    select format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid, true)) as text
    from pg_constraint
    where conrelid = ${oid} and contype not in ('n', 't')
    order by array_position('{p,u,f,c}', contype::text), conname`
}

/** Indexes that no constraint made, sequences and triggers. */
async function statementsOf(sql: postgres.Sql, oid: number): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select text
    from (
      select 1 as place, i.relname as name, concat_ws(' -- ', replace(pg_get_indexdef(x.indexrelid, 0, true), ' USING btree', ''),
        (select 'statistics 0' from pg_attribute a where a.attrelid = i.oid and a.attstattarget = 0)) as text
      from pg_index x
      join pg_class i on i.oid = x.indexrelid
      where x.indrelid = ${oid} and not exists (select from pg_constraint c where c.conindid = x.indexrelid and c.conrelid = x.indrelid)
      union all
      select 2, s.relname, format('CREATE SEQUENCE %I OWNED BY %s.%s', s.relname, d.refobjid::regclass, a.attname)
      from pg_depend d
      join pg_class s on s.oid = d.objid and s.relkind = 'S'
      join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where d.refobjid = ${oid} and d.deptype = 'a'
      union all
      select 3, g.tgname, pg_get_triggerdef(g.oid, true) || case g.tgenabled when 'A' then ' -- enabled always' else '' end
      from pg_trigger g
      where g.tgrelid = ${oid} and not g.tgisinternal) s
    order by place, name`
  return rows.map(({ text }) => endStatement(text))
}

/** Postgres writes definitions without the semicolon; a remark follows it. */
function endStatement(text: string): string {
  const [statement, ...remark] = text.split(' -- ')
  return [`${statement};`, ...remark].join(' -- ')
}

async function policiesOf(sql: postgres.Sql, oid: number): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select format('CREATE POLICY %I ON %s FOR %s TO %s', p.polname, p.polrelid::regclass,
      case p.polcmd when '*' then 'ALL' when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE' else 'DELETE' end,
      (select string_agg(r.rolname, ', ' order by r.rolname) from pg_roles r where r.oid = any(p.polroles)))
      || coalesce(' USING (' || pg_get_expr(p.polqual, p.polrelid, true) || ')', '')
      || coalesce(' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid, true) || ')', '') || ';' as text
    from pg_policy p
    where p.polrelid = ${oid}
    order by p.polname`
  return rows.map(({ text }) => text)
}
