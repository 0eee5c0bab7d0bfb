-- How people get into the panel, and what they did there.

-- Only a hash of the token is stored. A session ends when it has been idle too long or has lasted too long, whichever comes first.
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

-- Links that set a password. A person has at most one: a new one replaces the old.
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

-- Failed sign-ins by account, address and device. The subjects are keyed hashes, so the table reveals none of them. Rows belong to no organisation: an
-- attempt may name an unknown account.
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

-- Who did what: a person in the panel, the operator by command line, or an object in Kubernetes, which the detail names. Rows are inserted and read, never changed.
create table admin_events (
  org_id     uuid not null references organisations,
  id         bigint generated always as identity,
  at         timestamptz not null default sealwright_now(),
  actor      text not null constraint admin_events_actor check (actor in ('PERSON', 'OPERATOR', 'KUBERNETES')),
  person_id  uuid,
  email      text,
  action     text not null,
  detail     jsonb not null,
  address    text,
  user_agent text,
  primary key (org_id, id),
  constraint admin_events_person check ((actor = 'PERSON') = (person_id is not null and email is not null))
);
create trigger admin_events_fixed before update or delete on admin_events for each row execute function refuse_audit_change();
create trigger admin_events_kept before truncate on admin_events for each statement execute function refuse_audit_change();

select isolate_by_organisation(owned) from unnest(array['sessions', 'setup_links', 'admin_events']::regclass[]) owned;
grant select, insert, update, delete on sessions, setup_links to sealwright_api, sealwright_system;
grant select, insert on admin_events to sealwright_api, sealwright_system;

-- Look-ups before the organisation is known, by the hash of a token.
create function find_session_owner(wanted bytea) returns table (org_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select s.org_id from sessions s where s.token_hash = wanted $$;
create function find_setup_link_owner(wanted bytea) returns table (org_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select l.org_id from setup_links l where l.token_hash = wanted $$;
revoke execute on function find_session_owner, find_setup_link_owner from public;
grant execute on function find_session_owner, find_setup_link_owner to sealwright_api, sealwright_system;
