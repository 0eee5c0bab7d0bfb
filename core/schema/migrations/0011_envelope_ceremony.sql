-- What a signer does behind the link.

-- One link for each signer. Only a hash of the token is stored; its text is encrypted in the mail until that is sent.
create table signing_links (
  org_id           uuid not null,
  signer_id        uuid not null,
  envelope_id      uuid not null,
  token_hash       bytea not null constraint signing_links_token_unique unique,
  -- Of the second token, sent with the notice that all have signed; it opens the signed copy like the first.
  copy_token_hash  bytea constraint signing_links_copy_token_unique unique,
  -- Null until it is the signer's turn and the mail is due.
  released_at      timestamptz,
  expires_at       timestamptz,
  revoked_at       timestamptz,
  used_at          timestamptz,
  otp_verified_at  timestamptz,
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
  -- The drawn seal, ready to be appended: a Form XObject with all that it refers to. It is compressed already, so Postgres does not try to.
  appearance  bytea not null,
  primary key (org_id, id),
  foreign key (org_id, signer_id) references signers on delete cascade,
  constraint signatures_one_per_signer unique (org_id, signer_id)
);
alter table signatures alter column appearance set storage external;

select isolate_by_organisation(owned)
from unnest(array['signing_links', 'otp_challenges', 'otp_failures', 'document_views', 'signatures']::regclass[]) owned;
grant select, insert, update, delete on signing_links, otp_challenges, otp_failures, document_views, signatures to sealwright_api, sealwright_system;

-- Look-ups before the organisation is known. Each takes an unguessable value and returns no more than whose it is.
create function find_link_owner(wanted bytea) returns table (org_id uuid, envelope_id uuid, signer_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select l.org_id, l.envelope_id, l.signer_id from signing_links l
     where l.token_hash = wanted or l.copy_token_hash = wanted $$;
create function find_signature_owner(wanted uuid) returns table (org_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select s.org_id from signatures s where s.id = wanted $$;
revoke execute on function find_link_owner, find_signature_owner from public;
grant execute on function find_link_owner, find_signature_owner to sealwright_api, sealwright_system;
