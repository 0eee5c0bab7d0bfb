-- The audit trail. Each envelope has a hash chain; the ledger of an organisation links the rows of all its chains in the order of their commits. Hashes can
-- be recomputed by anyone who owns the database, so every row also has a MAC under the installation's key, which is not in the database.

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
  mac           bytea not null,
  primary key (org_id, envelope_id, seq)
);

-- The last row of each envelope's chain. One row that is updated, so that an earlier head with its MAC cannot be put back.
create table audit_heads (
  org_id       uuid not null,
  envelope_id  uuid not null,
  seq          integer not null,
  at           timestamptz not null,
  hash         bytea not null,
  mac          bytea not null,
  -- The last row of this chain that the organisation's ledger has, and the time of the first one that it lacks.
  ledgered_seq integer not null default 0,
  pending_at   timestamptz,
  primary key (org_id, envelope_id),
  constraint audit_heads_pending check ((pending_at is not null) = (ledgered_seq < seq))
);
create index audit_heads_to_ledger on audit_heads (org_id, pending_at) where pending_at is not null;

create table audit_ledger (
  org_id      uuid not null,
  org_seq     bigint not null,
  envelope_id uuid not null,
  seq         integer not null,
  event_hash  bytea not null,
  entered_at  timestamptz not null,
  -- Over the previous row's hash and all of the above.
  hash        bytea not null,
  mac         bytea not null,
  primary key (org_id, org_seq),
  constraint audit_ledger_once unique (org_id, envelope_id, seq)
);

-- The last row of each ledger, updated like the heads of the chains.
create table audit_ledger_heads (
  org_id     uuid primary key,
  org_seq    bigint not null,
  hash       bytea not null,
  mac        bytea not null,
  entered_at timestamptz not null
);

select isolate_by_organisation(owned)
from unnest(array['audit_events', 'audit_heads', 'audit_ledger', 'audit_ledger_heads']::regclass[]) owned;
grant select, insert on audit_events to sealwright_api, sealwright_system;
grant select, insert, update on audit_heads to sealwright_api, sealwright_system;
grant select on audit_ledger, audit_ledger_heads to sealwright_api;
grant select, insert on audit_ledger to sealwright_system;
grant select, insert, update on audit_ledger_heads to sealwright_system;

-- Rows are inserted and read. Plain SQL changes none of them, not even as the owner; heads only move forward.
create function refuse_audit_change() returns trigger language plpgsql as
  $$ begin raise exception 'the audit trail only grows' using errcode = 'insufficient_privilege'; end $$;
create trigger audit_events_fixed before update or delete on audit_events for each row execute function refuse_audit_change();
create trigger audit_events_kept before truncate on audit_events for each statement execute function refuse_audit_change();
create trigger audit_heads_fixed before delete on audit_heads for each row execute function refuse_audit_change();
create trigger audit_heads_kept before truncate on audit_heads for each statement execute function refuse_audit_change();
create trigger audit_heads_forward before update on audit_heads for each row
  when (new.seq < old.seq or new.ledgered_seq < old.ledgered_seq) execute function refuse_audit_change();
create trigger audit_ledger_fixed before update or delete on audit_ledger for each row execute function refuse_audit_change();
create trigger audit_ledger_kept before truncate on audit_ledger for each statement execute function refuse_audit_change();
create trigger audit_ledger_heads_fixed before delete on audit_ledger_heads for each row execute function refuse_audit_change();
create trigger audit_ledger_heads_kept before truncate on audit_ledger_heads for each statement execute function refuse_audit_change();
create trigger audit_ledger_heads_forward before update on audit_ledger_heads for each row
  when (new.org_seq < old.org_seq) execute function refuse_audit_change();
