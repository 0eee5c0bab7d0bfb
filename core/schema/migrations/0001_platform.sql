-- What every other file builds on: the two roles, the clock, and row-level security by organisation.

-- Neither role owns a table or bypasses row-level security. `sealwright_api` sees one organisation at a time; `sealwright_system` runs the workers and
-- the controller and sees all of them.
do $$
begin
  if not exists (select from pg_roles where rolname = 'sealwright_api') then create role sealwright_api nologin; end if;
  if not exists (select from pg_roles where rolname = 'sealwright_system') then create role sealwright_system nologin; end if;
exception when duplicate_object or unique_violation then null; -- another database of this server created them first
end $$;

do $$
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant sealwright_api, sealwright_system to %I', current_user);
  end if;
end $$;

-- The runner of the migrations creates this table. Every process checks at its start that the schema is the one it knows.
grant select on migrations to sealwright_api, sealwright_system;

-- The clock of every decision. A function, so that a test can move it within its own database.
create function sealwright_now() returns timestamptz language sql stable as 'select now()';

-- The organisation that the transaction acts for; null outside of one.
create function sealwright_org() returns uuid language sql stable as
  $$ select nullif(current_setting('sealwright.org_id', true), '')::uuid $$;

-- Called for every table whose rows belong to an organisation (`org_id`). The policies are the second barrier: statements name the organisation as well.
-- The planner keeps no statistics of `org_id`: for an organisation that is new or has grown since the last analyze it would expect next to no rows and
-- consider every index that begins with the organisation equally good. Without statistics it expects the same of all, and takes the narrowest index.
create function isolate_by_organisation(isolated regclass) returns void language plpgsql as
$$
begin
  execute format('alter table %s enable row level security', isolated);
  execute format('create policy own_organisation on %s to sealwright_api using (org_id = sealwright_org()) with check (org_id = sealwright_org())', isolated);
  execute format('create policy every_organisation on %s to sealwright_system using (true) with check (true)', isolated);
  execute format('alter table %s alter column org_id set statistics 0', isolated);
end
$$;
revoke execute on function isolate_by_organisation from public;
