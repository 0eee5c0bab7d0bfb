// The rights on a table, view or sequence of roles other than its owner, and on single columns.
import type postgres from 'postgres'

/** One grant for roles that have the same rights. */
export async function grantsOn(sql: postgres.Sql, oid: number): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select format('GRANT %s ON %s TO %s;', privileges, ${oid}::oid::regclass, string_agg(grantee, ', ' order by grantee)) as text
    from (
      select grantee, string_agg(privilege, ', ' order by privilege) as privileges
      from (
        select case when g.grantee = 0 then 'public' else g.grantee::regrole::text end as grantee, g.privilege_type as privilege
        from pg_class c, aclexplode(c.relacl) g
        where c.oid = ${oid} and g.grantee <> c.relowner
        union all
        select g.grantee::regrole::text, format('%s (%s)', g.privilege_type, string_agg(a.attname, ', ' order by a.attnum))
        from pg_attribute a, aclexplode(a.attacl) g
        where a.attrelid = ${oid}
        group by g.grantee, g.privilege_type) p
      group by grantee) r
    group by privileges
    order by 1`
  return rows.map(({ text }) => text)
}
