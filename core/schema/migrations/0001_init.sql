-- The first schema. The owner's id leads every key that a query uses; row-level security is the second wall behind it.
-- Two roles, neither owns a table nor bypasses the wall: `sealwright_api` sees one organisation, `sealwright_system` runs workers and clock loops.

do $$
begin
  if not exists (select from pg_roles where rolname = 'sealwright_api') then create role sealwright_api nologin; end if;
  if not exists (select from pg_roles where rolname = 'sealwright_system') then create role sealwright_system nologin; end if;
exception when duplicate_object or unique_violation then null; -- another database of this server was faster
end $$;

do $$
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant sealwright_api, sealwright_system to %I', current_user);
  end if;
end $$;

-- The clock of every decision. A function, so that tests can move it in their own database.
create function sealwright_now() returns timestamptz language sql stable as 'select now()';

create function sealwright_org() returns uuid language sql stable as
  $$ select nullif(current_setting('sealwright.org_id', true), '')::uuid $$;

create table organisations (
  id         uuid primary key,
  name       text not null constraint organisations_name_length check (char_length(name) between 1 and 255),
  created_at timestamptz not null default sealwright_now(),
  -- Counters of what is in use now; changed only in the transaction that uses or frees it.
  storage_bytes  bigint not null default 0 constraint organisations_storage_positive check (storage_bytes >= 0),
  open_envelopes integer not null default 0 constraint organisations_open_positive check (open_envelopes >= 0)
);

-- Quotas over a window of time: one row for each organisation, dimension and window.
create table quota_windows (
  org_id     uuid not null references organisations,
  dimension  text not null,
  starts_at  timestamptz not null,
  used       integer not null constraint quota_windows_used_positive check (used >= 0),
  primary key (org_id, dimension, starts_at)
);

create table people (
  org_id        uuid not null references organisations,
  id            uuid not null,
  email         text not null,
  name          text not null,
  role          text not null constraint people_role check (role in ('ADMIN', 'MEMBER')),
  password_hash text,
  created_at    timestamptz not null default sealwright_now(),
  primary key (org_id, id)
);
create unique index people_email_unique on people (lower(email));

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

create table credentials (
  org_id       uuid not null references organisations,
  id           uuid not null,
  client_id    text not null constraint credentials_client_id_unique unique,
  name         text not null constraint credentials_name_length check (char_length(name) between 1 and 255),
  created_at   timestamptz not null default sealwright_now(),
  last_used_at timestamptz,
  revoked_at   timestamptz,
  primary key (org_id, id)
);

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
  foreign key (org_id, workspace_id) references workspaces on delete cascade
);

-- Keys that sign access tokens. The private half is sealed with the installation key.
create table token_keys (
  kid         text primary key,
  public_jwk  jsonb not null,
  private_box bytea not null,
  created_at  timestamptz not null default sealwright_now()
);

create table envelopes (
  org_id             uuid not null references organisations,
  id                 uuid not null,
  workspace_id       uuid not null,
  title              text not null constraint envelopes_title_length check (char_length(title) between 1 and 255),
  message            text constraint envelopes_message_length check (char_length(message) <= 10000),
  status             text not null default 'DRAFT' constraint envelopes_status check (
    status in ('DRAFT', 'SENT', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED')),
  otp_required       boolean not null,
  sequential_signing boolean not null,
  link_ttl_seconds   integer not null constraint envelopes_link_ttl check (link_ttl_seconds > 0),
  expires_at         timestamptz,
  -- When it expires by itself: expires_at, or earlier, when the last open link lapses. Null: never.
  lapses_at          timestamptz,
  labels             jsonb not null default '{}',
  created_at         timestamptz not null default sealwright_now(),
  created_by         text,
  sent_at            timestamptz,
  ended_at           timestamptz,
  primary key (org_id, id),
  foreign key (org_id, workspace_id) references workspaces,
  constraint envelopes_ended check ((ended_at is not null) = (status in ('COMPLETED', 'CANCELLED', 'EXPIRED')))
);
create index envelopes_by_lapse on envelopes (lapses_at) where status in ('DRAFT', 'SENT', 'IN_PROGRESS');

-- What a reader sees: an envelope whose time has passed has expired, whether or not the sweep has been there.
create function shown_status(status text, lapses_at timestamptz) returns text language sql stable as
  $$ select case when status in ('DRAFT', 'SENT', 'IN_PROGRESS') and lapses_at <= sealwright_now() then 'EXPIRED' else status end $$;

create table documents (
  org_id       uuid not null references organisations,
  id           uuid not null,
  envelope_id  uuid,
  position     integer,
  filename     text not null constraint documents_filename_length check (octet_length(filename) between 1 and 255),
  size_bytes   bigint not null constraint documents_size check (size_bytes > 0),
  sha256       bytea not null,
  storage_key  text not null,
  -- What the upload check found: pages, markers and all that the seal needs from the original.
  inspection   jsonb not null,
  created_at   timestamptz not null default sealwright_now(),
  created_by   text,
  stored_at    timestamptz,
  primary key (org_id, id),
  foreign key (org_id, envelope_id) references envelopes on delete cascade,
  constraint documents_attached check ((envelope_id is null) = (position is null)),
  constraint documents_position_unique unique (org_id, envelope_id, position)
);
create index documents_unattached on documents (created_at) where envelope_id is null;

create table signers (
  org_id      uuid not null,
  id          uuid not null,
  envelope_id uuid not null,
  email       text not null,
  name        text not null constraint signers_name_length check (char_length(name) between 1 and 255),
  sign_order  integer not null constraint signers_sign_order_range check (sign_order between 1 and 999),
  status      text not null default 'PENDING' constraint signers_status check (
    status in ('PENDING', 'SENT', 'VIEWED', 'SIGNED', 'EXPIRED', 'CANCELLED')),
  viewed_at   timestamptz,
  signed_at   timestamptz,
  primary key (org_id, id),
  foreign key (org_id, envelope_id) references envelopes on delete cascade,
  constraint signers_sign_order_unique unique (org_id, envelope_id, sign_order),
  constraint signers_signed check ((status = 'SIGNED') = (signed_at is not null))
);

-- One link a signer. The token is only here as a hash; its text lives encrypted in the mail until that is sent.
create table signing_links (
  org_id          uuid not null,
  signer_id       uuid not null,
  envelope_id     uuid not null,
  token_hash      bytea not null constraint signing_links_token_unique unique,
  -- The second way in, mailed with the notice that all have signed; it opens the signed copy like the first.
  copy_token_hash bytea constraint signing_links_copy_token_unique unique,
  -- Null until the signer's turn has come and the mail is due.
  released_at     timestamptz,
  expires_at      timestamptz,
  revoked_at      timestamptz,
  used_at         timestamptz,
  otp_verified_at timestamptz,
  otp_paused_until timestamptz,
  primary key (org_id, signer_id),
  foreign key (org_id, signer_id) references signers on delete cascade,
  constraint signing_links_released check ((released_at is null) = (expires_at is null))
);
create index signing_links_by_envelope on signing_links (org_id, envelope_id);

create table otp_challenges (
  org_id      uuid not null,
  id          uuid not null,
  signer_id   uuid not null,
  code_hmac   bytea not null,
  created_at  timestamptz not null default sealwright_now(),
  expires_at  timestamptz not null,
  tries       integer not null default 0,
  -- Verified, superseded or out of tries: no code opens it any more.
  closed_at   timestamptz,
  primary key (org_id, id),
  foreign key (org_id, signer_id) references signing_links on delete cascade
);
create index otp_challenges_by_signer on otp_challenges (org_id, signer_id, created_at desc);

create table otp_failures (
  org_id    uuid not null,
  signer_id uuid not null,
  at        timestamptz not null default sealwright_now(),
  foreign key (org_id, signer_id) references signing_links on delete cascade
);
create index otp_failures_by_signer on otp_failures (org_id, signer_id, at);

create table document_views (
  org_id      uuid not null,
  id          uuid not null,
  signer_id   uuid not null,
  opened_at   timestamptz not null default sealwright_now(),
  closed_at   timestamptz,
  duration_ms bigint,
  primary key (org_id, id),
  foreign key (org_id, signer_id) references signing_links on delete cascade
);
create index document_views_by_signer on document_views (org_id, signer_id, opened_at desc);

create table signatures (
  org_id      uuid not null,
  id          uuid not null constraint signatures_id_unique unique,
  envelope_id uuid not null,
  signer_id   uuid not null,
  signed_at   timestamptz not null,
  -- The drawn seal, ready to be appended: a Form XObject with all it refers to.
  appearance  bytea not null,
  primary key (org_id, id),
  foreign key (org_id, signer_id) references signers on delete cascade,
  constraint signatures_one_per_signer unique (org_id, signer_id)
);

-- Certificates that have sealed here; verification pins to them. Private keys are never in the database.
create table signing_keys (
  fingerprint      text primary key,
  certificate      bytea not null,
  -- The issuers' certificates as PEM, nearest first.
  chain            text not null,
  origin           text not null constraint signing_keys_origin check (origin in ('SELF_MADE', 'IMPORTED')),
  created_at       timestamptz not null default sealwright_now(),
  compromised_from timestamptz
);

-- The promise to seal, written in the transaction of the last signature; raised attempts before the work.
create table seal_intents (
  org_id       uuid not null,
  envelope_id  uuid not null,
  state        text not null default 'WAITING' constraint seal_intents_state check (state in ('WAITING', 'DONE', 'PARKED')),
  attempts     integer not null default 0,
  due_at       timestamptz not null default sealwright_now(),
  leased_until timestamptz,
  last_error   text,
  created_at   timestamptz not null default sealwright_now(),
  done_at      timestamptz,
  primary key (org_id, envelope_id),
  foreign key (org_id, envelope_id) references envelopes on delete cascade
);
create index seal_intents_due on seal_intents (due_at) where state = 'WAITING';

create table sealed_documents (
  org_id      uuid not null,
  document_id uuid not null,
  envelope_id uuid not null,
  storage_key text not null,
  sha256      bytea not null,
  size_bytes  bigint not null,
  fingerprint text not null references signing_keys,
  sealed_at   timestamptz not null,
  -- What the seal appends, kept until the copy is stored: a second run stores the same bytes and never makes a second file.
  increment   bytea,
  stored_at   timestamptz,
  primary key (org_id, document_id),
  constraint sealed_documents_stored check ((stored_at is null) = (increment is not null)),
  foreign key (org_id, document_id) references documents on delete cascade
);
create index sealed_documents_by_envelope on sealed_documents (org_id, envelope_id);

-- Mails to send. A secret that the text needs (link token, code) is encrypted and wiped when the mail is out or dropped.
create table mails (
  org_id       uuid not null,
  id           uuid not null,
  envelope_id  uuid not null,
  signer_id    uuid not null,
  template     text not null constraint mails_template check (template in ('SIGNING_LINK', 'ONE_TIME_CODE', 'COMPLETED')),
  secret_box   bytea,
  state        text not null constraint mails_state check (state in ('HELD', 'WAITING', 'SENT', 'DROPPED', 'PARKED')),
  attempts     integer not null default 0,
  due_at       timestamptz not null default sealwright_now(),
  leased_until timestamptz,
  last_error   text,
  created_at   timestamptz not null default sealwright_now(),
  sent_at      timestamptz,
  primary key (org_id, id),
  foreign key (org_id, signer_id) references signers on delete cascade,
  constraint mails_secret_wiped check (state in ('HELD', 'WAITING', 'PARKED') or secret_box is null)
);
create index mails_due on mails (due_at) where state = 'WAITING';
create index mails_by_signer on mails (org_id, signer_id);

-- What the world is to be told, in the order in which it became true. The relay rings the bell for each row.
create table outbox (
  id           bigint generated always as identity primary key,
  org_id       uuid not null,
  subject      text not null,
  body         jsonb not null,
  created_at   timestamptz not null default sealwright_now(),
  published_at timestamptz
);
create index outbox_waiting on outbox (id) where published_at is null;

create function ring_outbox() returns trigger language plpgsql as
  $$ begin notify sealwright_outbox; return null; end $$;
create trigger outbox_rings after insert on outbox for each statement execute function ring_outbox();

-- The audit trail: one hash chain an envelope. Rows are added and read, never changed, by whomever.
create table audit_events (
  org_id        uuid not null,
  envelope_id   uuid not null,
  seq           integer not null,
  at            timestamptz not null,
  actor         jsonb not null,
  action        text not null,
  address       text,
  user_agent    text,
  detail        jsonb not null,
  previous_hash bytea not null,
  hash          bytea not null,
  primary key (org_id, envelope_id, seq)
);
create function refuse_audit_change() returns trigger language plpgsql as
  $$ begin raise exception 'the audit trail only grows' using errcode = 'insufficient_privilege'; end $$;
create trigger audit_events_fixed before update or delete on audit_events for each row execute function refuse_audit_change();
create trigger audit_events_kept before truncate on audit_events for each statement execute function refuse_audit_change();

-- Look-ups before the organisation is known. Each takes an unguessable value and returns no more than whose it is.
create function find_credential_owner(wanted text) returns table (org_id uuid, credential_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select c.org_id, c.id from credentials c where c.client_id = wanted $$;
create function find_link_owner(wanted bytea) returns table (org_id uuid, envelope_id uuid, signer_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select l.org_id, l.envelope_id, l.signer_id from signing_links l
     where l.token_hash = wanted or l.copy_token_hash = wanted $$;
create function find_signature_owner(wanted uuid) returns table (org_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select s.org_id from signatures s where s.id = wanted $$;

do $$
declare owned text;
begin
  foreach owned in array array['quota_windows', 'people', 'workspaces', 'credentials', 'credential_secrets', 'credential_grants', 'envelopes',
    'documents', 'signers', 'signing_links', 'otp_challenges', 'otp_failures', 'document_views', 'signatures', 'seal_intents',
    'sealed_documents', 'mails', 'outbox', 'audit_events']
  loop
    execute format('alter table %I enable row level security', owned);
    execute format('create policy own_organisation on %I to sealwright_api using (org_id = sealwright_org()) with check (org_id = sealwright_org())', owned);
    execute format('create policy every_organisation on %I to sealwright_system using (true) with check (true)', owned);
    if owned = 'audit_events' then
      execute format('grant select, insert on %I to sealwright_api, sealwright_system', owned);
    else
      execute format('grant select, insert, update, delete on %I to sealwright_api, sealwright_system', owned);
    end if;
  end loop;
end $$;

alter table organisations enable row level security;
create policy own_organisation on organisations to sealwright_api using (id = sealwright_org()) with check (id = sealwright_org());
create policy every_organisation on organisations to sealwright_system using (true) with check (true);
grant select, insert, update on organisations to sealwright_system;
grant select, update on organisations to sealwright_api;
grant select, insert, delete on token_keys to sealwright_api, sealwright_system;
grant select on signing_keys to sealwright_api;
grant select, insert, update on signing_keys to sealwright_system;
revoke execute on function find_credential_owner, find_link_owner, find_signature_owner from public;
grant execute on function find_credential_owner, find_link_owner, find_signature_owner to sealwright_api, sealwright_system;
