-- People and their way into the panel: sessions, links that set a password, what failed sign-ins cost, and who did what.

alter table people
  add column last_signed_in_at timestamptz,
  add constraint people_email_length check (char_length(email) between 3 and 254),
  add constraint people_name_length check (char_length(name) between 1 and 255);

-- The token is only here as a hash. A session ends when it has been idle too long or has lasted too long, whichever comes first.
create table sessions (
  org_id     uuid not null,
  token_hash bytea not null constraint sessions_token_unique unique,
  person_id  uuid not null,
  created_at timestamptz not null default sealwright_now(),
  seen_at    timestamptz not null default sealwright_now(),
  primary key (org_id, token_hash),
  foreign key (org_id, person_id) references people on delete cascade
);
create index sessions_by_person on sessions (org_id, person_id);
create index sessions_by_age on sessions (seen_at);

-- At most one link a person: a new one takes the place of the old.
create table setup_links (
  org_id     uuid not null,
  person_id  uuid not null,
  token_hash bytea not null constraint setup_links_token_unique unique,
  created_at timestamptz not null default sealwright_now(),
  expires_at timestamptz not null,
  primary key (org_id, person_id),
  constraint setup_links_person foreign key (org_id, person_id) references people on delete cascade
);
create index setup_links_by_expiry on setup_links (expires_at);

-- Failed sign-ins by account and by address, as keyed hashes: the table tells neither. No owner: an attempt may name nobody we know.
create table sign_in_counters (
  kind         text not null constraint sign_in_counters_kind check (kind in ('ACCOUNT', 'ADDRESS', 'DEVICE')),
  subject      bytea not null,
  failures     integer not null constraint sign_in_counters_failures check (failures >= 0),
  failed_at    timestamptz not null default sealwright_now(),
  paused_until timestamptz,
  primary key (kind, subject)
);
create index sign_in_counters_by_age on sign_in_counters (failed_at);
grant select, insert, update, delete on sign_in_counters to sealwright_api, sealwright_system;

-- Who did what in the panel. Rows are added and read, never changed.
create table admin_events (
  org_id     uuid not null references organisations,
  id         bigint generated always as identity,
  at         timestamptz not null default sealwright_now(),
  person_id  uuid not null,
  email      text not null,
  action     text not null,
  detail     jsonb not null,
  address    text,
  user_agent text,
  primary key (org_id, id)
);
create trigger admin_events_fixed before update or delete on admin_events for each row execute function refuse_audit_change();
create trigger admin_events_kept before truncate on admin_events for each statement execute function refuse_audit_change();

-- A mail goes to a signer about an envelope, or to a person about the panel.
alter table mails
  alter column envelope_id drop not null,
  alter column signer_id drop not null,
  add column person_id uuid,
  add foreign key (org_id, person_id) references people on delete cascade,
  drop constraint mails_template,
  add constraint mails_template check (template in ('SIGNING_LINK', 'ONE_TIME_CODE', 'COMPLETED', 'PANEL_SETUP')),
  add constraint mails_receiver check (
    case when template = 'PANEL_SETUP' then person_id is not null and envelope_id is null and signer_id is null
      else person_id is null and envelope_id is not null and signer_id is not null end);
create index mails_by_person on mails (org_id, person_id) where person_id is not null;

-- Look-ups before the organisation is known, like those of the first schema. The e-mail address is no secret: its finder answers no more than whose
-- it is, to code that tells nobody.
create function find_session_owner(wanted bytea) returns table (org_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select s.org_id from sessions s where s.token_hash = wanted $$;
create function find_setup_link_owner(wanted bytea) returns table (org_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select l.org_id from setup_links l where l.token_hash = wanted $$;
create function find_person_owner(wanted text) returns table (org_id uuid, person_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select p.org_id, p.id from people p where lower(p.email) = lower(wanted) $$;
revoke execute on function find_session_owner, find_setup_link_owner, find_person_owner from public;
grant execute on function find_session_owner, find_setup_link_owner, find_person_owner to sealwright_api, sealwright_system;

do $$
declare owned text;
begin
  foreach owned in array array['sessions', 'setup_links', 'admin_events']
  loop
    execute format('alter table %I enable row level security', owned);
    execute format('create policy own_organisation on %I to sealwright_api using (org_id = sealwright_org()) with check (org_id = sealwright_org())', owned);
    execute format('create policy every_organisation on %I to sealwright_system using (true) with check (true)', owned);
    if owned = 'admin_events' then
      execute format('grant select, insert on %I to sealwright_api, sealwright_system', owned);
    else
      execute format('grant select, insert, update, delete on %I to sealwright_api, sealwright_system', owned);
    end if;
  end loop;
end $$;
