// Functions by name and signature, and who may call them.
import type postgres from 'postgres'

/** One text for all of them, by name. */
export async function describeFunctions(sql: postgres.Sql): Promise<string[]> {
  const functions = await sql<{ text: string }[]>`
    select format('FUNCTION %I(%s) RETURNS %s%s  %s; EXECUTE TO %s', p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), chr(10),
      concat_ws(' ', 'LANGUAGE', l.lanname, case p.provolatile when 'i' then 'IMMUTABLE' when 's' then 'STABLE' else 'VOLATILE' end,
        case when p.proisstrict then 'STRICT' end, case when p.proleakproof then 'LEAKPROOF' end,
        case p.proparallel when 's' then 'PARALLEL SAFE' when 'r' then 'PARALLEL RESTRICTED' end,
        case when p.prosecdef then 'SECURITY DEFINER' end, case when p.proretset then 'ROWS ' || p.prorows end,
        'SET ' || array_to_string(p.proconfig, ' SET ')),
      coalesce((
        select string_agg(case when g.grantee = 0 then 'public' else g.grantee::regrole::text end, ', ' order by g.grantee::regrole::text)
        from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g
        where g.grantee <> p.proowner), 'its owner only')) as text
    from pg_proc p
    join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace
    order by p.proname, pg_get_function_identity_arguments(p.oid)`
  return functions.map(({ text }) => text.replaceAll(/^/gm, '-- '))
}
