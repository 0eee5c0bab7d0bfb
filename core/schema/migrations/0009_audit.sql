-- The audit trail against whoever owns the database: a hash can be computed by anyone, a MAC under the installation's key cannot, and that key is
-- not in here. Envelopes have a chain each, as before; the organisation's ledger links all of their rows in the order in which they were committed.

alter table audit_events add column mac bytea not null default '';
alter table audit_events alter column mac drop default;

-- The last row of each envelope's chain. One row that moves on, so that an earlier head with its MAC is nowhere to be found again.
create table audit_heads (
  org_id       uuid not null,
  envelope_id  uuid not null,
  seq          integer not null,
  at           timestamptz not null,
  hash         bytea not null,
  mac          bytea not null,
  -- How far the organisation's ledger has come with this chain, and the time of the first row that it does not have yet.
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
  -- Over the row before it and all of the above.
  hash        bytea not null,
  mac         bytea not null,
  primary key (org_id, org_seq),
  constraint audit_ledger_once unique (org_id, envelope_id, seq)
);

-- The end of each ledger; one row that moves on, like the heads of the chains.
create table audit_ledger_heads (
  org_id     uuid primary key,
  org_seq    bigint not null,
  hash       bytea not null,
  mac        bytea not null,
  entered_at timestamptz not null
);

-- What the sealed copy says of the audit trail: the row envelope.completed. Null for copies sealed before they said so.
alter table sealed_documents
  add column audit_seq integer,
  add column audit_hash bytea,
  add constraint sealed_documents_audit check ((audit_seq is null) = (audit_hash is null));

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

do $$
declare owned text;
begin
  foreach owned in array array['audit_heads', 'audit_ledger', 'audit_ledger_heads']
  loop
    execute format('alter table %I enable row level security', owned);
    execute format('create policy own_organisation on %I to sealwright_api using (org_id = sealwright_org()) with check (org_id = sealwright_org())', owned);
    execute format('create policy every_organisation on %I to sealwright_system using (true) with check (true)', owned);
  end loop;
end $$;
grant select, insert, update on audit_heads to sealwright_api, sealwright_system;
grant select on audit_ledger, audit_ledger_heads to sealwright_api;
grant select, insert on audit_ledger to sealwright_system;
grant select, insert, update on audit_ledger_heads to sealwright_system;
