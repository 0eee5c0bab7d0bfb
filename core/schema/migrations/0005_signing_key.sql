-- Certificates that have sealed here; verification trusts exactly these. Private keys are never in the database.

create table signing_keys (
  fingerprint      text primary key,
  certificate      bytea not null,
  -- The issuers' certificates as PEM, nearest first.
  chain            text not null,
  origin           text not null constraint signing_keys_origin check (origin in ('SELF_MADE', 'IMPORTED')),
  created_at       timestamptz not null default sealwright_now(),
  -- When the key last became the one that seals: the latest of all is the one in use.
  sealing_since    timestamptz not null default sealwright_now(),
  compromised_from timestamptz
);
grant select on signing_keys to sealwright_api;
grant select, insert, update on signing_keys to sealwright_system;
