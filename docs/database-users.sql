-- A user of Postgres for each component, so that none of them owns the tables or takes the role of another. Run it in the database of the service, before
-- the installation or later, as a superuser or as the owner of the database if it may create roles. It can be repeated. Then give each user a password:
-- \password sealwright_login_api

do $$
declare
  member text;
begin
  -- What the migrations grant rights to. They create these two if they may.
  if not exists (select from pg_roles where rolname = 'sealwright_api') then create role sealwright_api nologin; end if;
  if not exists (select from pg_roles where rolname = 'sealwright_system') then create role sealwright_system nologin; end if;
  foreach member in array array['sealwright_login_api', 'sealwright_login_worker', 'sealwright_login_relay', 'sealwright_login_controller'] loop
    if not exists (select from pg_roles where rolname = member) then execute format('create role %I login', member); end if;
  end loop;
end $$;

grant sealwright_api to sealwright_login_api;
grant sealwright_system to sealwright_login_worker, sealwright_login_relay, sealwright_login_controller;

-- Only the owner of the database makes tables. `public` are all users.
do $$
declare
  owner regrole := (select datdba from pg_database where datname = current_database());
begin
  execute format('grant usage, create on schema public to %s', owner);
  execute format('revoke temporary on database %I from public', current_database());
end $$;
revoke create on schema public from public;
