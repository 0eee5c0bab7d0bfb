-- What the planner knows of one organisation is true of the day of the last analyze: of one that has come since, or has grown, it expects next to no rows,
-- and then any index that begins with the organisation seems as good as the one that leads to the row. Without statistics of the column it expects as
-- much of every organisation, a two-hundredth of the table, and takes the index that narrows most.
do $$
declare kept record;
begin
  for kept in
    select c.oid::regclass as name, c.relname, n.nspname
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    where a.attname = 'org_id' and not a.attisdropped and c.relkind = 'r' and n.nspname = current_schema()
  loop
    execute format('alter table %s alter column org_id set statistics 0', kept.name);
    -- From Postgres 18 on what was gathered before can be forgotten.
    if to_regprocedure('pg_clear_attribute_stats(text, text, text, boolean)') is not null then
      execute format('select pg_clear_attribute_stats(%L, %L, %L, false)', kept.nspname, kept.relname, 'org_id');
    end if;
  end loop;
end $$;
