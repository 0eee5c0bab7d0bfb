-- Organisations, their workspaces, and who may do what there: people in the panel, credentials of other systems over the API.
-- Constraints and unique indexes with a name of our own are mapped to error codes by that name (core/platform/postgres/postgres-error.ts).

create table organisations (
  id             uuid primary key,
  name           text not null constraint organisations_name_length check (char_length(name) between 1 and 255),
  locale         text not null default 'en' constraint organisations_locale check (locale in ('en', 'de')),
  -- For how many days sealed files are kept after the end of their envelope. Null: as the installation is set.
  retention_days integer constraint organisations_retention_range check (retention_days between 30 and 3650),
  created_at     timestamptz not null default sealwright_now(),
  -- What is in use now; changed only in the transaction that uses or frees it.
  storage_bytes  bigint not null default 0 constraint organisations_storage_positive check (storage_bytes >= 0),
  open_envelopes integer not null default 0 constraint organisations_open_positive check (open_envelopes >= 0)
);
alter table organisations enable row level security;
create policy own_organisation on organisations to sealwright_api using (id = sealwright_org()) with check (id = sealwright_org());
create policy every_organisation on organisations to sealwright_system using (true) with check (true);
grant select, update on organisations to sealwright_api;
grant select, insert, update on organisations to sealwright_system;

create table workspaces (
  org_id       uuid not null references organisations,
  id           uuid not null,
  name         text not null constraint workspaces_name_length check (char_length(name) between 1 and 255),
  is_general   boolean not null default false,
  groups_ready boolean not null default true,
  created_at   timestamptz not null default sealwright_now(),
  primary key (org_id, id)
);
create unique index workspaces_one_general on workspaces (org_id) where is_general;
-- Two names are the same whatever their case and however their accents are encoded.
create unique index workspaces_name_unique on workspaces (org_id, lower(normalize(name)));

-- Systems that call the API: clients with secrets of ours, or clients whose tokens come from a trusted external issuer. The latter have no secret and are
-- recorded at their first call, so that an admin can assign workspaces to them and revoke them.
create table credentials (
  org_id       uuid not null references organisations,
  id           uuid not null,
  client_id    text not null,
  -- Null: a client of our own.
  issuer       text constraint credentials_issuer_length check (char_length(issuer) between 1 and 500),
  name         text not null constraint credentials_name_length check (char_length(name) between 1 and 255),
  created_at   timestamptz not null default sealwright_now(),
  last_used_at timestamptz,
  revoked_at   timestamptz,
  primary key (org_id, id)
);
-- Our own client ids are unique everywhere. An external one is unique only with its issuer, and several organisations may trust the same client.
create unique index credentials_own_client on credentials (client_id) where issuer is null;
create unique index credentials_outside_client on credentials (org_id, issuer, client_id) where issuer is not null;

create table credential_secrets (
  org_id        uuid not null,
  credential_id uuid not null,
  secret_hash   bytea not null,
  last_four     text not null,
  created_at    timestamptz not null default sealwright_now(),
  expires_at    timestamptz,
  primary key (org_id, credential_id, secret_hash),
  foreign key (org_id, credential_id) references credentials on delete cascade
);

create table credential_grants (
  org_id        uuid not null,
  credential_id uuid not null,
  workspace_id  uuid not null,
  permissions   text[] not null constraint credential_grants_known check (
    permissions <@ array['envelope:read', 'envelope:create', 'envelope:send', 'envelope:cancel', 'document:download']),
  primary key (org_id, credential_id, workspace_id),
  foreign key (org_id, credential_id) references credentials on delete cascade,
  constraint credential_grants_workspace foreign key (org_id, workspace_id) references workspaces on delete cascade
);

-- Keys that sign access tokens. The private half is encrypted with the installation's key.
create table token_keys (
  kid         text primary key,
  public_jwk  jsonb not null,
  private_box bytea not null,
  created_at  timestamptz not null default sealwright_now()
);
grant select, insert, delete on token_keys to sealwright_api, sealwright_system;

create table people (
  org_id            uuid not null references organisations,
  id                uuid not null,
  email             text not null constraint people_email_length check (char_length(email) between 3 and 254),
  name              text not null constraint people_name_length check (char_length(name) between 1 and 255),
  role              text not null constraint people_role check (role in ('ADMIN', 'MEMBER')),
  -- Null until the setup link has been used.
  password_hash     text,
  created_at        timestamptz not null default sealwright_now(),
  last_signed_in_at timestamptz,
  -- The address signs in to another organisation, so this person cannot sign in; only their invitation says so.
  is_elsewhere      boolean not null default false,
  -- The account at the identity provider, bound at the first sign-in with it.
  oidc_issuer       text,
  oidc_subject      text,
  primary key (org_id, id),
  constraint people_oidc check ((oidc_issuer is null) = (oidc_subject is null))
);
-- In the collation "C", lower() changes ASCII letters only. Others depend on the locale: a dotted capital I would become an i.
create unique index people_email_unique on people (org_id, lower(email collate "C"));
create unique index people_sign_in_unique on people (lower(email collate "C")) where not is_elsewhere;
create unique index people_oidc_unique on people (oidc_issuer, oidc_subject);

-- What a member may do in a workspace. Admins have no rows: they may do everything everywhere.
create table member_grants (
  org_id       uuid not null,
  person_id    uuid not null,
  workspace_id uuid not null,
  permissions  text[] not null constraint member_grants_known check (
    permissions <@ array['envelope:read', 'envelope:create', 'envelope:send', 'envelope:cancel', 'document:download']),
  primary key (org_id, person_id, workspace_id),
  constraint member_grants_person foreign key (org_id, person_id) references people on delete cascade,
  constraint member_grants_workspace foreign key (org_id, workspace_id) references workspaces on delete cascade
);

select isolate_by_organisation(owned)
from unnest(array['workspaces', 'credentials', 'credential_secrets', 'credential_grants', 'people', 'member_grants']::regclass[]) owned;
grant select, insert, update, delete on workspaces, credentials, credential_secrets, credential_grants, people, member_grants
  to sealwright_api, sealwright_system;

-- Look-ups before the organisation is known, past row-level security. The first takes an unguessable value and returns no more than whose it is. An email
-- address is no secret: the code that calls the second does not reveal whether it found a person. The third takes what an identity provider has signed.
create function find_credential_owner(wanted text) returns table (org_id uuid, credential_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select c.org_id, c.id from credentials c where c.client_id = wanted and c.issuer is null $$;
create function find_person_owner(wanted text) returns table (org_id uuid, person_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select p.org_id, p.id from people p where lower(p.email collate "C") = lower(wanted collate "C") and not p.is_elsewhere $$;
create function find_oidc_owner(issuer text, subject text) returns table (org_id uuid, person_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select p.org_id, p.id from people p where p.oidc_issuer = issuer and p.oidc_subject = subject $$;
revoke execute on function find_credential_owner, find_person_owner, find_oidc_owner from public;
grant execute on function find_credential_owner, find_person_owner, find_oidc_owner to sealwright_api, sealwright_system;
