// Views with their grants.
import type postgres from 'postgres'
import { grantsOn } from './grants.ts'

/** One text for each view, by name. */
export async function describeViews(sql: postgres.Sql): Promise<string[]> {
  const views = await sql<{ oid: number; text: string }[]>`
    select c.oid, format('CREATE VIEW %I AS%s%s', c.relname, chr(10), pg_get_viewdef(c.oid, true)) as text
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
    order by c.relname`
  const texts: string[] = []
  for (const { oid, text } of views) texts.push([text, ...(await grantsOn(sql, oid))].join('\n'))
  return texts
}
